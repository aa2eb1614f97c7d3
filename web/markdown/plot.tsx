import { scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { type Plot as PlotBlock, readPlot } from '../../src/contracts/plot.ts'
import classes from './markdown.module.css'
import { type CurvePoint, curvePoints, ticks } from './plot-curves.ts'

const COLOURS = ['var(--meno-accent)', 'var(--meno-gold)', 'var(--mantine-color-dimmed)']
const AXIS = { stroke: 'var(--mantine-color-dimmed)', strokeWidth: 1.5 }
const WIDTH = 520
const MARGIN = { top: 18, right: 24, bottom: 26, left: 34 }

/** A picture of a lesson with its words below; the block as it is written where it describes none. */
export default function Plot({ source }: { source: string }) {
  const plot = readPlot(source)
  if (!plot) return <pre data-scroll>{source}</pre>
  return (
    <figure className={classes.figure}>
      {plot.kind === 'numberline' ? <NumberLine plot={plot} /> : <Plane plot={plot} />}
      <figcaption>{plot.text}</figcaption>
    </figure>
  )
}

function Plane({ plot }: { plot: Exclude<PlotBlock, { kind: 'numberline' }> }) {
  const height = Math.round(WIDTH / 1.5)
  const [bottom, right] = [height - MARGIN.bottom, WIDTH - MARGIN.right]
  const x = scaleLinear(plot.x, [MARGIN.left, right])
  const y = scaleLinear(plot.y, [bottom, MARGIN.top])
  // Where a curve is not defined, it is broken.
  const curve = (name: string) =>
    line<CurvePoint>(
      (point) => x(point.x),
      (point) => y(point[name] ?? 0),
    ).defined((point) => point[name] !== undefined)
  const functions = plot.kind === 'function' ? plot.functions : []
  const curves = curvePoints(functions, plot.x)
  const [zeroX, zeroY] = [holds(plot.x, 0), holds(plot.y, 0)]
  return (
    <svg className={classes.picture} viewBox={`0 0 ${WIDTH} ${height}`} aria-hidden="true">
      {ticks(plot.x).map((at) => (
        <g key={at} transform={`translate(${x(at)} 0)`}>
          <line y1={MARGIN.top} y2={bottom} stroke="var(--meno-line)" />
          <text y={bottom + 18} textAnchor="middle">
            {signed(at)}
          </text>
        </g>
      ))}
      {ticks(plot.y).map((at) => (
        <g key={at} transform={`translate(0 ${y(at)})`}>
          <line x1={MARGIN.left} x2={right} stroke="var(--meno-line)" />
          <text x={MARGIN.left - 8} dominantBaseline="central" textAnchor="end">
            {signed(at)}
          </text>
        </g>
      ))}
      {zeroX && <line x1={x(0)} x2={x(0)} y1={MARGIN.top} y2={bottom} {...AXIS} />}
      {zeroY && <line x1={MARGIN.left} x2={right} y1={y(0)} y2={y(0)} {...AXIS} />}
      <svg
        aria-hidden="true"
        x={MARGIN.left}
        y={MARGIN.top}
        width={right - MARGIN.left}
        height={bottom - MARGIN.top}
        viewBox={`${MARGIN.left} ${MARGIN.top} ${right - MARGIN.left} ${bottom - MARGIN.top}`}
      >
        {functions.map((formula, index) => (
          <path
            key={formula}
            d={curve(`y${index}`)(curves) ?? undefined}
            stroke={COLOURS[index] ?? 'currentColor'}
            strokeWidth={2.5}
            fill="none"
          />
        ))}
      </svg>
      {plot.points.map(({ at: [across, up], label }) => (
        <Dot key={`${across} ${up}`} x={x(across)} y={y(up)} label={label} />
      ))}
    </svg>
  )
}

function NumberLine({ plot }: { plot: Extract<PlotBlock, { kind: 'numberline' }> }) {
  const [first, last] = plot.range
  const [height, middle] = [78, 36]
  const x = scaleLinear(plot.range, [MARGIN.right, WIDTH - MARGIN.right])
  const ends = plot.pieces.flatMap(({ from, to, fromIncluded, toIncluded }) => [
    ...(from === undefined ? [] : [{ at: from, isFilled: fromIncluded }]),
    ...(to === undefined ? [] : [{ at: to, isFilled: toIncluded }]),
  ])
  return (
    <svg className={classes.picture} viewBox={`0 0 ${WIDTH} ${height}`} aria-hidden="true">
      <line x1={x(first)} x2={x(last)} y1={middle} y2={middle} {...AXIS} />
      {ticks(plot.range).map((at) => (
        <g key={at} transform={`translate(${x(at)} 0)`}>
          <line y1={middle - 5} y2={middle + 5} {...AXIS} />
          <text y={middle + 26} textAnchor="middle">
            {signed(at)}
          </text>
        </g>
      ))}
      {plot.pieces.map(({ from = first, to = last }) => (
        <line
          key={`${from} ${to}`}
          x1={x(from)}
          x2={x(to)}
          y1={middle}
          y2={middle}
          stroke="var(--meno-accent)"
          strokeWidth={5}
        />
      ))}
      {ends.map(({ at, isFilled }) => (
        <Dot key={at} x={x(at)} y={middle} isOpen={!isFilled} />
      ))}
      {plot.points.map(({ at, label }) => (
        <Dot key={at} x={x(at)} y={middle} label={label} />
      ))}
    </svg>
  )
}

interface DotProps {
  x: number
  y: number
  label?: string | undefined
  /** A bound that does not belong to it. */
  isOpen?: boolean
}

const Dot = ({ x, y, label, isOpen = false }: DotProps) => (
  <g transform={`translate(${x} ${y})`}>
    <circle
      r={5}
      fill={isOpen ? 'var(--mantine-color-body)' : 'var(--meno-accent)'}
      stroke="var(--meno-accent)"
      strokeWidth={2.5}
    />
    {label !== undefined && (
      <text y={-12} textAnchor="middle" className={classes.caption}>
        {label}
      </text>
    )}
  </g>
)

const holds = ([from, to]: readonly [number, number], value: number) => from <= value && value <= to

const signed = (value: number) => String(value).replace('-', '−')
