import { metricMeter } from '@temporalio/activity'

/** Counts faults of ours by product, beside the worker's other metrics. */
export const countFault = (product: string): void =>
  metricMeter.createCounter('meno_faults').add(1, { product })
