import type { EarlyReading, UserMessageSignal } from '../../contracts/temporal.ts'
import type { Command } from '../../domain/arc/reply.ts'
import type { Arc, Work } from './arc.ts'
import { contest } from './contesting.ts'
import { answerProbe } from './diagnosing.ts'
import { codeQuality, verdictWords } from './grading.ts'
import { Malformed, type ModelSteps } from './model-steps.ts'
import { practise } from './practising.ts'
import { store } from './proxies.ts'
import { answerReview, skipReview } from './reviewing.ts'
import { afterCheck, answerQuiz, skipConcept, takeInHand } from './teaching.ts'

type Verdict = 'correct' | 'close' | 'wrong' | 'abstained' | 'shown'

/** Takes up a learner's message: what code can read is acted on, the rest is routed. */
export async function takeUpMessage(
  arc: Arc,
  steps: ModelSteps,
  message: UserMessageSignal,
): Promise<void> {
  const { messageId } = message
  const { reply, at } = earlyReading(arc, message) ?? (await read(arc, messageId))
  if (reply.kind === 'taken') return
  arc.noteMessage(at)
  arc.flow.paused = false
  switch (reply.kind) {
    case 'command':
      return obey(arc, steps, reply.command, messageId)
    case 'late':
      arc.say('question-closed')
      return arc.putAgain()
    case 'judged':
      return judged(arc, steps, messageId, reply.verdict)
    case 'unjudged':
      return arc.tutor === 'offline' ? putInFormat(arc) : grade(arc, steps, messageId)
    default:
      return route(arc, steps, messageId)
  }
}

/** The message as the API read it, if the arc still stands as it stood then; else it is read again. */
function earlyReading({ flow }: Arc, { reading }: UserMessageSignal): EarlyReading | null {
  const holds =
    reading?.turn === flow.turn && reading.openQuestionId === (flow.question?.id ?? null)
  return holds ? reading : null
}

async function read(arc: Arc, messageId: string) {
  const { question, turn } = arc.flow
  const toRead = { arcId: arc.arcId, messageId, openQuestionId: question?.id ?? null, turn }
  const summary = question ? `to the ${question.kind} question` : 'nothing open'
  return store.readMessage.executeWithOptions({ summary }, [toRead])
}

function putInFormat(arc: Arc): void {
  const { question } = arc.flow
  if (!question) return
  arc.say(
    { phrase: 'put-again', params: { format: question.format } },
    { questionId: question.id, part: 'text' },
  )
}

function judged(arc: Arc, steps: ModelSteps, messageId: string, verdict: Verdict): Work {
  const { question } = arc.flow
  if (!question) return
  const mayTryAgain = question.kind === 'quiz' || question.kind === 'review'
  if (verdict === 'close' && mayTryAgain && question.tries === 0) {
    question.tries += 1
    arc.say('close', { questionId: question.id, part: 'text' })
    return
  }
  const given = verdict === 'abstained' || verdict === 'shown'
  if (question.kind === 'diagnostic') {
    arc.say(verdict === 'correct' ? 'noted-right' : 'noted-wrong')
  } else arc.say(...verdictWords(arc, verdict))
  const quality = given ? 0 : codeQuality(arc, verdict)
  return answered(arc, steps, { messageId, quality, judgedBy: 'code' })
}

/** A graded answer goes to whoever asked. */
function answered(
  arc: Arc,
  steps: ModelSteps,
  answer: { messageId: string; quality: number; judgedBy: 'code' | 'model' },
): Work {
  arc.flow.lastGrade = null
  switch (arc.flow.question?.kind) {
    case 'diagnostic':
      return answerProbe(arc, answer.quality)
    case 'teach':
      return afterCheck(arc)
    case 'quiz':
      return answerQuiz(arc, steps, answer)
    case 'review':
      return answerReview(arc, answer)
  }
}

/** The model grades what code cannot read; what it cannot grade is put again and nothing is stored. */
async function grade(arc: Arc, steps: ModelSteps, messageId: string): Promise<void> {
  const { question } = arc.flow
  if (!question) return
  if (arc.flow.phase === 'TEACHING') arc.moveTo('TEACHING', 'evaluating')
  const input = { questionId: question.id, messageId, again: false }
  let quality: number | null = null
  let key = ''
  try {
    const step = await steps.run('grade', messageId, input, question.label)
    quality = step.digest.quality
    key = step.key
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
  }
  if (quality === null) {
    arc.say('ask-again', { questionId: question.id, part: 'text' })
    return
  }
  arc.say({ step: key, part: 'feedback_text' })
  await answered(arc, steps, { messageId, quality, judgedBy: 'model' })
}

async function route(arc: Arc, steps: ModelSteps, messageId: string): Promise<void> {
  const { question } = arc.flow
  const decision = await decide(arc, steps, messageId)
  switch (decision.intent) {
    case 'answer':
      if (question) return arc.tutor === 'offline' ? putInFormat(arc) : grade(arc, steps, messageId)
      return nothingOpen(arc)
    case 'plan':
      return showPath(arc, steps, messageId)
    case 'learn':
      return learnAbout(arc, steps, messageId, decision.concept)
    case 'off_topic':
      arc.say({ phrase: 'off-topic', params: { topic: arc.topic } })
      return arc.putAgain()
    default:
      return help(arc, steps, messageId, decision.concept)
  }
}

async function decide(arc: Arc, steps: ModelSteps, messageId: string) {
  const questionId = arc.flow.question?.id ?? null
  try {
    return (await steps.run('route', messageId, { messageId, questionId }, 'read the message'))
      .digest
  } catch (error) {
    if (error instanceof Malformed) return { intent: 'answer' as const, concept: null }
    throw error
  }
}

/** A question of the learner's own: answered, and the place is kept. */
async function help(
  arc: Arc,
  steps: ModelSteps,
  messageId: string,
  concept: string | null,
): Promise<void> {
  const questionId = arc.flow.question?.id ?? null
  const speaker = arc.flow.role
  arc.handTo('tutor', 'the learner asks a question', messageId)
  const input = { messageId, questionId, concept }
  const { key } = await steps.run('help', messageId, input, concept ?? 'a question')
  arc.say({ step: key, part: 'text' })
  arc.putAgain()
  arc.handTo(speaker, 'the question is answered')
}

async function showPath(arc: Arc, steps: ModelSteps, messageId: string): Promise<void> {
  const speaker = arc.flow.role
  arc.handTo('pathplanner', 'the learner asks what comes next', messageId)
  try {
    const { key } = await steps.run('path', messageId, {}, 'what comes next')
    arc.say({ step: key, part: 'path_reasoning' })
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
  }
  arc.putAgain()
  arc.handTo(speaker, 'the path is shown')
}

/** The learner asks for a concept: one that was skipped comes back; another one is explained. */
async function learnAbout(
  arc: Arc,
  steps: ModelSteps,
  messageId: string,
  concept: string | null,
): Promise<void> {
  const wanted = concept?.trim().toLowerCase()
  const node = arc.map.nodes.find(({ label }) => label.trim().toLowerCase() === wanted)
  if (!node?.metadata.skipped) return help(arc, steps, messageId, concept)
  const { skipped: _, ...metadata } = node.metadata
  arc.setNode({ ...node, metadata })
  arc.say({ phrase: 'back-to', params: { label: node.label } })
  if (!arc.flow.lesson && !arc.flow.question) takeInHand(arc, node.id)
  arc.putAgain()
}

function nothingOpen(arc: Arc): void {
  arc.say({ phrase: 'nothing-open', params: { at: arc.nextReviewAt, now: Date.now() } })
}

async function obey(
  arc: Arc,
  steps: ModelSteps,
  command: Command,
  messageId: string,
): Promise<void> {
  const { question } = arc.flow
  switch (command) {
    case 'pause':
      arc.flow.paused = true
      return arc.say('paused')
    case 'resume':
      arc.say('resumed')
      return arc.putAgain()
    case 'plan':
      return showPath(arc, steps, messageId)
    case 'contest':
      return contest(arc, steps, messageId)
    case 'practice':
      return practise(arc)
    case 'help':
      return help(arc, steps, messageId, question?.label ?? null)
  }
  if (!question) return nothingOpen(arc)
  switch (command) {
    case 'skip':
      return skip(arc, steps, messageId)
    case 'show':
      return judged(arc, steps, messageId, 'shown')
    case 'dont_know':
      return judged(arc, steps, messageId, 'abstained')
    case 'hint':
    case 'stuck':
      arc.say({ questionId: question.id, part: 'hint', n: question.hints })
      question.hints += 1
  }
}

async function skip(arc: Arc, steps: ModelSteps, messageId: string): Promise<void> {
  switch (arc.flow.question?.kind) {
    case 'diagnostic':
      arc.closeQuestion(null)
      arc.flow.diagnosed = true
      return arc.say('diagnosis-skipped')
    case 'teach':
      return skipConcept(arc)
    case 'quiz':
      arc.say('question-skipped')
      return answerQuiz(arc, steps, { messageId, quality: 0, judgedBy: 'code' })
    case 'review':
      return skipReview(arc)
  }
}
