/** The three difficulties of exam questions and, above `none`, the three tiers of a unit. */
export type ExamTier = 'bronze' | 'silver' | 'gold'
export type MasteryTier = 'none' | ExamTier

/** Passed exam questions of a unit, counted by tier. */
export type PassedByTier = Readonly<Record<ExamTier, number>>

/** Correct drills in a row that make a unit ready for its exam. Seed 004 PF-3.4. */
export const DRILL_READINESS_STREAK = 2

/** Lowest first. */
export const MASTERY_TIERS = ['none', 'bronze', 'silver', 'gold'] as const

/** The tier to work towards: one above the tier held; gold stays gold. Seed 004 PF-3.4. */
export function desiredExamTierFromMastery(tier: MasteryTier): ExamTier {
  if (tier === 'none') return 'bronze'
  if (tier === 'bronze') return 'silver'
  return 'gold'
}

/**
 * The tier a unit holds by its evidence: bronze takes a streak of two and a bronze pass, silver and
 * gold take the tier below and a pass at that tier. A tier once held counts whatever the streak is
 * now, so the result is never below `progress.masteryTier`. Seed 004 PF-3.4 and PF-5.1, with the
 * rule that tiers never fall.
 */
export function updateUnitMasteryTier(progress: {
  readonly masteryTier: MasteryTier
  readonly drill: { readonly streakCorrect: number }
  readonly exam: { readonly passedByTier: PassedByTier }
}): MasteryTier {
  const held = MASTERY_TIERS.indexOf(progress.masteryTier)
  const passed = progress.exam.passedByTier
  const ready = progress.drill.streakCorrect >= DRILL_READINESS_STREAK
  const bronze = held >= 1 || (ready && passed.bronze >= 1)
  const silver = held >= 2 || (bronze && passed.silver >= 1)
  const gold = held >= 3 || (silver && passed.gold >= 1)
  if (gold) return 'gold'
  if (silver) return 'silver'
  return bronze ? 'bronze' : 'none'
}
