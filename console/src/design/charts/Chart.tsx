import './charts.css'
import { useElementSize } from '@mantine/hooks'
import { type PointerEvent, type ReactNode, useState } from 'react'
import { useFormats } from '../../i18n/format.ts'
import { useTranslations } from '../../i18n/text.ts'
import { axisTicksFor, labeledColumns } from './scale.ts'
import { translations } from './translations.ts'

export interface ChartSeries {
  key: string
  name: string
  /** A colour of `charts.css`. */
  color: string
}

export interface ChartColumn {
  /** Below the chart. */
  label: string
  /** In full, above what it holds. */
  title: string
  /** By series; null where there is nothing to say. */
  values: Readonly<Record<string, number | null>>
}

const plotHeight = 190
const bottomMargin = 26
const leftMargin = 44

/** Columns over time, with the table that says the same. `kind` says how values stand in them. */
export function Chart({
  title,
  kind,
  series,
  columns,
  format,
}: {
  title: string
  kind: 'bars' | 'lines'
  series: readonly ChartSeries[]
  columns: readonly ChartColumn[]
  format: (value: number) => string
}) {
  const t = useTranslations(translations)
  const { ref, width } = useElementSize()
  const [at, setAt] = useState<number>()
  const most = Math.max(...columns.map((column) => maxOfColumn(column, series, kind)), 0)
  const ticks = axisTicksFor(most)
  const top = ticks.at(-1) ?? 1
  const inner = Math.max(width - leftMargin, 1)
  const step = inner / Math.max(columns.length, 1)
  const y = (value: number) => plotHeight - (value / top) * (plotHeight - 8)
  const x = (n: number) => leftMargin + n * step
  const shown = labeledColumns(columns.length, inner)
  const used = series.filter(({ key }) => columns.some(({ values }) => (values[key] ?? 0) > 0))
  const look = (event: PointerEvent<SVGSVGElement>) => {
    const from = event.currentTarget.getBoundingClientRect().left
    const n = Math.floor((event.clientX - from - leftMargin) / step)
    setAt(n >= 0 && n < columns.length ? n : undefined)
  }
  const column = at === undefined ? undefined : columns[at]
  return (
    <figure aria-label={title} className="chart">
      <div ref={ref}>
        <svg
          aria-hidden="true"
          height={plotHeight + bottomMargin}
          onPointerLeave={() => setAt(undefined)}
          onPointerMove={look}
        >
          {ticks.map((tick) => (
            <g key={tick}>
              <line
                className="chart-grid"
                x1={leftMargin}
                x2={leftMargin + inner}
                y1={y(tick)}
                y2={y(tick)}
              />
              <text
                className="chart-label"
                dy="0.32em"
                textAnchor="end"
                x={leftMargin - 8}
                y={y(tick)}
              >
                {format(tick)}
              </text>
            </g>
          ))}
          {at !== undefined && (
            <rect className="chart-hover" height={plotHeight} width={step} x={x(at)} y={0} />
          )}
          {kind === 'bars' ? (
            <Bars columns={columns} series={used} step={step} x={x} y={y} />
          ) : (
            <Lines columns={columns} series={used} step={step} x={x} y={y} />
          )}
          {columns.map(({ label }, n) =>
            shown.has(n) ? (
              <text className="chart-label" key={label + String(n)} x={x(n)} y={plotHeight + 18}>
                {label}
              </text>
            ) : null,
          )}
        </svg>
      </div>
      {column && at !== undefined && (
        <ChartTooltip left={x(at) + step / 2} right={leftMargin + inner}>
          <strong>{column.title}</strong>
          <dl>
            {used.map(({ key, name, color }) => (
              <div key={key}>
                <dt>
                  <span className="swatch" style={{ background: color }} /> {name}
                </dt>
                <dd>{formatOrDash(column.values[key], format)}</dd>
              </div>
            ))}
          </dl>
        </ChartTooltip>
      )}
      <ul className="legend">
        {used.map(({ key, name, color }) => (
          <li key={key}>
            <span className="swatch" style={{ background: color }} />
            {name}
          </li>
        ))}
      </ul>
      <details className="as-table">
        <summary>{t('asTable')}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
        <div tabIndex={0}>
          <table aria-label={title}>
            <thead>
              <tr>
                <th scope="col">{t('when')}</th>
                {series.map(({ key, name }) => (
                  <th key={key} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {columns.map(({ title: when, values }, n) => (
                <tr key={when + String(n)}>
                  <th scope="row">{when}</th>
                  {series.map(({ key }) => (
                    <td key={key}>{formatOrDash(values[key], format)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}

interface ChartLayout {
  columns: readonly ChartColumn[]
  series: readonly ChartSeries[]
  step: number
  x: (n: number) => number
  y: (value: number) => number
}

function Bars({ columns, series, step, x, y }: ChartLayout) {
  const gap = Math.min(4, step * 0.25)
  return columns.map(({ title, values }, n) => {
    let below = 0
    return series.map(({ key, color }) => {
      const value = values[key] ?? 0
      if (value <= 0) return null
      const from = below
      below += value
      return (
        <rect
          fill={color}
          height={Math.max(y(from) - y(below), 0.5)}
          key={`${title} ${key}`}
          rx={Math.min(2, step / 6)}
          width={Math.max(step - gap, 1)}
          x={x(n) + gap / 2}
          y={y(below)}
        />
      )
    })
  })
}

/** Broken where nothing is known; a value that stands alone is a dot. */
function Lines({ columns, series, step, x, y }: ChartLayout) {
  const middle = (n: number) => x(n) + step / 2
  return series.map(({ key, color }) => {
    let path = ''
    let isOpen = false
    const dots: ReactNode[] = []
    for (const [n, { values }] of columns.entries()) {
      const value = values[key] ?? null
      if (value !== null) {
        path += `${isOpen ? 'L' : 'M'}${middle(n)} ${y(value)}`
        const next = columns[n + 1]?.values[key] ?? null
        if (!isOpen && next === null) {
          dots.push(<circle cx={middle(n)} cy={y(value)} fill={color} key={n} r={4} />)
        }
      }
      isOpen = value !== null
    }
    return (
      <g key={key}>
        <path d={path} fill="none" stroke={color} strokeLinejoin="round" strokeWidth={2} />
        {dots}
      </g>
    )
  })
}

function ChartTooltip({
  left: at,
  right,
  children,
}: {
  left: number
  right: number
  children: ReactNode
}) {
  const isLate = at > right / 2
  const style = isLate ? { right: `calc(100% - ${at - 12}px)` } : { left: at + 12 }
  return (
    <div aria-hidden="true" className="chart-tip" style={style}>
      {children}
    </div>
  )
}

/** Parts of a whole, in one line. */
export function ShareBar({
  title,
  series,
  values,
  format,
}: {
  title: string
  series: readonly ChartSeries[]
  values: Readonly<Record<string, number>>
  format: (value: number) => string
}) {
  const { percent } = useFormats()
  const all = series.reduce((sum, { key }) => sum + (values[key] ?? 0), 0)
  const used = series.filter(({ key }) => (values[key] ?? 0) > 0)
  return (
    <figure aria-label={title} className="chart">
      <div aria-hidden="true" className="share-bar">
        {used.map(({ key, color }) => (
          <span
            key={key}
            style={{ width: `${((values[key] ?? 0) / all) * 100}%`, background: color }}
          />
        ))}
      </div>
      <ul className="legend" style={{ marginTop: '0.75rem' }}>
        {used.map(({ key, name, color }) => (
          <li key={key}>
            <span className="swatch" style={{ background: color }} />
            {name} <strong>{percent((values[key] ?? 0) / all)}</strong> ({format(values[key] ?? 0)})
          </li>
        ))}
      </ul>
    </figure>
  )
}

function formatOrDash(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value)
}

function maxOfColumn(
  column: ChartColumn,
  series: readonly ChartSeries[],
  kind: 'bars' | 'lines',
): number {
  const values = series.map(({ key }) => column.values[key] ?? 0)
  return kind === 'bars' ? values.reduce((sum, each) => sum + each, 0) : Math.max(...values, 0)
}
