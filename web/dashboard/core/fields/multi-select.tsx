import { useId } from 'react'
import { Menu, Button as MenuButton, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { CheckIcon } from '../../../parts/icons.tsx'
import { tell, words } from '../../words.ts'
import { DownIcon } from '../icons.tsx'

interface Props {
  readonly label: string
  /** What it says while none is chosen. */
  readonly all: string
  /** Ids of those that are chosen, with commas, as the API takes them. */
  readonly value: string
  readonly options: readonly { readonly id: string; readonly label: string }[]
  readonly onChange: (value: string) => void
}

/** Any number of many, in a menu that stays open while one chooses. */
export function MultiSelect({ label, all, value, options, onChange }: Props) {
  const id = useId()
  const chosen = value === '' ? [] : value.split(',')
  const [first] = chosen
  const shown =
    chosen.length > 1
      ? tell(words.chosen, { count: chosen.length })
      : first === undefined
        ? all
        : (options.find((option) => option.id === first)?.label ?? all)
  return (
    <div className="field">
      <span className="label" id={id}>
        {label}
      </span>
      <MenuTrigger>
        <MenuButton className="input multi-select" aria-labelledby={`${id} ${id}-value`}>
          <span id={`${id}-value`}>{shown}</span>
          <DownIcon size={16} />
        </MenuButton>
        <Popover className="popover popover-list" placement="bottom start">
          <Menu
            className="menu"
            aria-label={label}
            items={options}
            selectionMode="multiple"
            shouldCloseOnSelect={false}
            selectedKeys={chosen}
            onSelectionChange={(keys) =>
              onChange(
                options
                  .filter((option) => keys === 'all' || keys.has(option.id))
                  .map((option) => option.id)
                  .join(','),
              )
            }
          >
            {(option) => (
              <MenuItem id={option.id} textValue={option.label}>
                {({ isSelected }) => (
                  <>
                    {option.label}
                    {isSelected && <CheckIcon size={16} />}
                  </>
                )}
              </MenuItem>
            )}
          </Menu>
        </Popover>
      </MenuTrigger>
    </div>
  )
}
