import { comparisonOf, type HostFilter, type HostValue } from '../../../../src/domain/forms/host-filter.ts'
import type { AttributeView, FormView } from '../../core/data/views.ts'
import { joined, list, tell, words } from '../../words.ts'

/** A host filter in words: "Hosts whose Region is the answer to “Your region” and Languages contain “de”". */
export function hostSentence(
  filter: HostFilter,
  attributes: readonly AttributeView[],
  fields: FormView['fields'],
): string {
  const f = words.forms
  const named = (value: HostValue) => {
    if (typeof value === 'string') return value === '' ? '…' : tell(f.quoted, { text: value })
    return tell(f.answerTo, {
      question: fields.find(({ id }) => id === value.answerOf)?.label ?? f.unknownField,
    })
  }
  const describe = (part: HostFilter, nested: boolean): string => {
    if ('attribute' in part) {
      const { operator, values } = comparisonOf(part)
      const label = attributes.find(({ key }) => key === part.attribute)?.label ?? part.attribute
      return tell(f.hostClauses[operator], { attribute: label, values: list(values.map(named)) || '…' })
    }
    const [parts, text] = 'all' in part ? [part.all, f.allOf] : [part.any, f.anyOf]
    const clauses = parts.map((one) => describe(one, parts.length > 1))
    const sentence = joined(text, clauses)
    return nested && parts.length > 1 ? `(${sentence})` : sentence
  }
  return tell(f.hostsWhere, { conditions: describe(filter, false) })
}
