import {
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceDot,
  ReferenceLine,
  XAxis,
  YAxis,
} from 'recharts'
import { type Plot as PlotBlock, readPlot } from '../../src/contracts/plot.ts'
import classes from './markdown.module.css'
import { curvePoints, ticks } from './plot-curves.ts'

const COLOURS = ['var(--meno-accent)', 'var(--meno-gold)', 'var(--mantine-color-dimmed)']
const AXIS = { stroke: 'var(--mantine-color-dimmed)', strokeWidth: 1.5 }
const MARGIN = { top: 16, right: 24, bottom: 4, left: 16 }

/** A picture of a lesson with its words below; the block as it is written where it describes none. */
export default function Plot({ source }: { source: string }) {
  const plot = readPlot(source)
  if (!plot) return <pre data-scroll>{source}</pre>
  return (
    <figure className={classes.figure}>
      <div aria-hidden>
        {plot.kind === 'numberline' ? <NumberLine plot={plot} /> : <Plane plot={plot} />}
      </div>
      <figcaption>{plot.text}</figcaption>
    </figure>
  )
}

function Plane({ plot }: { plot: Exclude<PlotBlock, { kind: 'numberline' }> }) {
  const functions = plot.kind === 'function' ? plot.functions : []
  return (
    <ComposedChart
      data={curvePoints(functions, plot.x)}
      style={{ width: '100%', maxWidth: 520, aspectRatio: 1.5 }}
      margin={MARGIN}
      accessibilityLayer={false}
      responsive
    >
      <CartesianGrid stroke="var(--meno-line)" />
      <XAxis
        dataKey="x"
        type="number"
        domain={[...plot.x]}
        ticks={ticks(plot.x)}
        interval={0}
        allowDataOverflow
      />
      <YAxis
        type="number"
        domain={[...plot.y]}
        ticks={ticks(plot.y)}
        interval={0}
        width={28}
        allowDataOverflow
      />
      <ReferenceLine x={0} {...AXIS} />
      <Zero />
      {functions.map((formula, index) => (
        <Line
          key={formula}
          dataKey={`y${index}`}
          stroke={COLOURS[index] ?? 'currentColor'}
          strokeWidth={2.5}
          dot={false}
          isAnimationActive={false}
        />
      ))}
      {plot.points.map(({ at: [x, y], label }) => (
        <ReferenceDot
          key={`${x} ${y}`}
          x={x}
          y={y}
          r={5}
          fill="var(--meno-accent)"
          stroke="none"
          label={caption(label)}
        />
      ))}
    </ComposedChart>
  )
}

function NumberLine({ plot }: { plot: Extract<PlotBlock, { kind: 'numberline' }> }) {
  const [first, last] = plot.range
  const ends = plot.pieces.flatMap(({ from, to, fromIncluded, toIncluded }) => [
    ...(from === undefined ? [] : [{ x: from, isFilled: fromIncluded }]),
    ...(to === undefined ? [] : [{ x: to, isFilled: toIncluded }]),
  ])
  return (
    <ComposedChart
      data={[{ x: first }, { x: last }]}
      style={{ width: '100%', maxWidth: 520, height: 90 }}
      margin={MARGIN}
      accessibilityLayer={false}
      responsive
    >
      <XAxis
        dataKey="x"
        type="number"
        domain={[first, last]}
        ticks={ticks(plot.range)}
        interval={0}
        tickMargin={8}
      />
      <YAxis type="number" domain={[0, 1]} hide />
      <Zero />
      {plot.pieces.map(({ from = first, to = last }) => (
        <ReferenceLine
          key={`${from} ${to}`}
          segment={[
            { x: from, y: 0 },
            { x: to, y: 0 },
          ]}
          stroke="var(--meno-accent)"
          strokeWidth={5}
        />
      ))}
      {ends.map(({ x, isFilled }) => (
        <ReferenceDot
          key={x}
          x={x}
          y={0}
          r={6}
          fill={isFilled ? 'var(--meno-accent)' : 'var(--mantine-color-body)'}
          stroke="var(--meno-accent)"
          strokeWidth={2.5}
        />
      ))}
      {plot.points.map(({ at, label }) => (
        <ReferenceDot
          key={at}
          x={at}
          y={0}
          r={5}
          fill="var(--meno-accent)"
          stroke="none"
          label={caption(label)}
        />
      ))}
    </ComposedChart>
  )
}

/** The line of height zero. It is a curve, since without one the chart has no heights at all. */
const Zero = () => <Line dataKey={() => 0} {...AXIS} dot={false} isAnimationActive={false} />

const caption = (label: string | undefined) =>
  label === undefined
    ? false
    : { value: label, position: 'top' as const, fill: 'currentColor', fontSize: 14 }
