import type { OutputConfig, ThinkingConfigParam } from '@anthropic-ai/sdk/resources/messages'

export interface Reasoning {
  thinking?: ThinkingConfigParam
  effort?: NonNullable<OutputConfig['effort']>
}

/**
 * Keeps a model from spending a step's output tokens on reasoning, which count towards them. Models of the fifth
 * generation reason unless told otherwise, each with its own way to be told; those that always do are asked for little
 * of it and to show it, so that a model that thinks is not taken for a silent one. Other models are left alone: they
 * reject what they do not know.
 */
export function reasoningOf(model: string): Reasoning {
  if (/^claude-(opus-5-5|fable-5|mythos-5)/.test(model)) {
    return { thinking: { type: 'adaptive', display: 'summarized' }, effort: 'low' }
  }
  if (model.startsWith('claude-sonnet-5-5')) return { thinking: { type: 'between_tools' } }
  if (/^claude-(opus|sonnet|haiku)-5/.test(model)) return { thinking: { type: 'disabled' } }
  return {}
}
