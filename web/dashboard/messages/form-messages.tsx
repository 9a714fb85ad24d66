import { isAboutForm } from '../../../src/domain/messages/message.ts'
import { combine, type Owner } from '../core/data/data.ts'
import type { FormView } from '../core/data/views.ts'
import { Loaded, RowsSkeleton, Section } from '../core/page.tsx'
import { messageWords } from '../words.ts'
import { MessageCard } from './message-card.tsx'
import { MessageDesk } from './message-desk.tsx'
import { useMessages, useOwnerPage } from './use-messages.ts'

interface Props {
  readonly form: FormView
  readonly owner: Owner
}

/** What people get who answered the form and did not book. */
export default function FormMessages({ form, owner }: Props) {
  const messages = useMessages(owner.id, (message) => isAboutForm(message, form.id))
  const m = messageWords.form
  return (
    <Section title={m.title} hint={m.hint}>
      <Loaded query={combine(messages, useOwnerPage(owner))} skeleton={<RowsSkeleton rows={1} />}>
        {([found, { body }]) => (
          <MessageDesk
            owner={owner}
            page={body}
            messages={found}
            scope={{ formIds: [form.id] }}
            only="unbooked"
            newPath={`/messages/new-for-${form.id}`}
          >
            {(desk) =>
              found.length === 0 ? (
                <p className="hint">{m.none}</p>
              ) : (
                found.map((message) => (
                  <MessageCard key={message.id} desk={desk} message={message} to={message.to} />
                ))
              )
            }
          </MessageDesk>
        )}
      </Loaded>
    </Section>
  )
}
