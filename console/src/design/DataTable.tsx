import type { ReactNode } from 'react'

export interface TableColumn<Row> {
  key: string
  title: string
  render: (row: Row) => ReactNode
  /** Its cells stay in one line. */
  keepsLine?: boolean
}

/** Rows and columns; on a phone each row is a card. With `open` a row can be opened, by its first cell's
 * button with keys. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  keyOf,
  open,
}: {
  /** What it lists, for readers of screens. */
  caption: string
  columns: readonly TableColumn<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  open?: (row: Row) => void
}) {
  return (
    <table aria-label={caption} className="table">
      <thead>
        <tr>
          {columns.map(({ key, title }) => (
            <th key={key} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr
            data-opens={open ? '' : undefined}
            key={keyOf(row)}
            onClick={open ? () => open(row) : undefined}
          >
            {columns.map(({ key, title, render, keepsLine }) => (
              <td data-keeps={keepsLine ? '' : undefined} data-label={title} key={key}>
                {render(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
