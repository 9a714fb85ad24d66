import { writeSize } from '../../../src/domain/size.ts'
import { writeDuration } from '../../../src/format/duration.ts'
import type { SystemView } from '../core/data/views.ts'
import { EmptyState, Fact, Section } from '../core/page.tsx'
import { tell, words } from '../words.ts'
import { useMoments } from './moments.ts'

/** The program and its database. */
export function SoftwareSection({ system }: { readonly system: SystemView }) {
  const moments = useMoments()
  const s = words.system
  const { version, commit, node, startedAt, database } = system
  return (
    <Section title={s.software}>
      <dl className="facts-list">
        <Fact name={s.version}>{commit === '' ? version : `${version} (${commit.slice(0, 7)})`}</Fact>
        <Fact name={s.node}>{node}</Fact>
        <Fact name={s.startedAt}>{moments.both(startedAt)}</Fact>
        <Fact name={s.database}>{database.version}</Fact>
        <Fact name={s.size}>{writeSize(moments.tag, database.sizeBytes)}</Fact>
        <Fact name={s.migration}>{database.migration}</Fact>
        {database.connections && (
          <Fact name={s.connections}>
            {tell(s.inUse, { used: database.connections.inUse, all: database.connections.max })}
          </Fact>
        )}
      </dl>
    </Section>
  )
}

const [MINUTE, LATE] = [60, 600_000]

export function BackupsSection({ backups }: Pick<SystemView, 'backups'>) {
  const moments = useMoments()
  const s = words.system
  if (backups === null) {
    return (
      <Section title={s.backups}>
        <EmptyState title={s.noBackups}>{s.noBackupsHint}</EmptyState>
      </Section>
    )
  }
  const { everySeconds, lastAt, nextAt, files, bytes, freeBytes, keep, folder } = backups
  const isOverdue = lastAt !== null && Date.parse(nextAt) < Date.now() - LATE
  return (
    <Section
      title={s.backups}
      actions={
        isOverdue && (
          <span className="status" data-status="Declined">
            {s.overdue}
          </span>
        )
      }
    >
      <dl className="facts-list">
        <Fact name={s.lastBackup}>{lastAt === null ? s.never : moments.both(lastAt)}</Fact>
        <Fact name={s.nextBackup}>{moments.both(nextAt)}</Fact>
        <Fact name={s.howOften}>
          {tell(s.every, {
            duration: writeDuration(moments.tag, Math.max(1, Math.round(everySeconds / MINUTE))),
          })}
        </Fact>
        {files !== null && bytes !== null && (
          <Fact name={s.kept}>
            {tell(s.keptOf, { files, most: keep })} · {writeSize(moments.tag, bytes)}
          </Fact>
        )}
        <Fact name={s.folder}>{folder}</Fact>
        {freeBytes !== null && <Fact name={s.free}>{writeSize(moments.tag, freeBytes)}</Fact>}
      </dl>
    </Section>
  )
}

export function StorageSection({ storage }: Pick<SystemView, 'storage'>) {
  const { tag } = useMoments()
  const s = words.system
  const { folder, dataBytes, freeBytes, totalBytes } = storage
  return (
    <Section title={s.storage}>
      <dl className="facts-list">
        <Fact name={s.folder}>{folder}</Fact>
        <Fact name={s.data}>{dataBytes === null ? s.notCounted : writeSize(tag, dataBytes)}</Fact>
        {freeBytes !== null && totalBytes !== null && (
          <Fact name={s.free}>
            {tell(s.freeOf, { free: writeSize(tag, freeBytes), total: writeSize(tag, totalBytes) })}
          </Fact>
        )}
      </dl>
    </Section>
  )
}
