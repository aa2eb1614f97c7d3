import type { Verdict } from '../mastery/quality.ts'
import { labelKey } from '../mind-map/label.ts'
import type { Arc, Part } from './arc.ts'
import { contest } from './contesting.ts'
import { answerProbe } from './diagnosing.ts'
import { type Answer, codeQuality, verdictWords } from './grading.ts'
import { practise } from './practising.ts'
import { type Command, readReply } from './reply.ts'
import { answerReview, skipReview } from './reviewing.ts'
import type { StepInputs, StepOutputs } from './steps.ts'
import { afterCheck, answerQuiz, skipConcept, takeInHand } from './teaching.ts'

/** A learner's message, as it was stored. */
export interface Message {
  id: string
  text: string
  action: Command | null
  /** The question it names, if it names one. */
  questionId: string | null
}

/** Takes up a learner's message: what code can read is acted on, the rest is routed. */
export function takeUpMessage(arc: Arc, message: Message) {
  const { question } = arc.state
  const full = arc.question
  const reply = readReply({
    ...message,
    open: question && full ? { ...full, id: question.id } : null,
  })
  arc.noteMessage()
  arc.state.paused = false
  switch (reply.kind) {
    case 'command':
      return obey(arc, reply.command, message)
    case 'late':
      arc.say('question-closed')
      return arc.putAgain()
    case 'program':
      return runProgram(arc, message)
    case 'judged':
      return judged(arc, message, reply.verdict)
    case 'unjudged':
      return arc.tutor === 'offline' ? putInFormat(arc) : grade(arc, message)
    default:
      return route(arc, message)
  }
}

/** The text could not be read as an answer: how to answer is said, and the question put again. */
function putInFormat(arc: Arc): void {
  const { question } = arc
  if (!question) return
  const { format, text } = question
  arc.say({ phrase: 'put-again', params: { format } }, { text })
}

/** Code has come to a verdict. `why`: what is said before it. */
export function judged(
  arc: Arc,
  message: Pick<Message, 'id' | 'text'>,
  verdict: Verdict,
  why: Part[] = [],
) {
  const { question } = arc.state
  if (!question) return
  const mayTryAgain = question.kind === 'quiz' || question.kind === 'review'
  if (verdict === 'close' && mayTryAgain && question.tries === 0) {
    question.tries += 1
    return arc.say('close', { text: arc.question?.text ?? '' })
  }
  const given = verdict === 'abstained' || verdict === 'shown'
  if (question.kind === 'diagnostic') {
    arc.say(verdict === 'correct' ? 'noted-right' : 'noted-wrong')
  } else arc.say(...why, ...verdictWords(arc, verdict))
  const quality = given ? 0 : codeQuality(arc, verdict)
  answered(arc, { messageId: message.id, text: message.text, quality, judgedBy: 'code' })
}

/** A graded answer goes to whoever asked. */
function answered(arc: Arc, answer: Answer) {
  arc.state.lastGrade = null
  switch (arc.state.question?.kind) {
    case 'diagnostic':
      return answerProbe(arc, answer.quality)
    case 'teach':
      return afterCheck(arc)
    case 'quiz':
      return answerQuiz(arc, answer)
    case 'review':
      return answerReview(arc, answer)
  }
}

/** A program was sent: it is tested, and the question stays open until then. */
function runProgram(arc: Arc, { id: messageId }: Message): void {
  const { question } = arc.state
  if (!question) return
  arc.ask('run-program', { questionId: question.id, messageId }, question.label)
}

/** The model grades what code cannot read. */
function grade(arc: Arc, { id: messageId }: Pick<Message, 'id'>): void {
  const { question, phase } = arc.state
  if (!question) return
  if (phase === 'TEACHING') arc.moveTo('TEACHING', 'evaluating')
  arc.ask('grade', { questionId: question.id, messageId, again: false }, question.label)
}

/** The grade has come; what could not be graded is put again and nothing is stored. */
export function takeGrade(
  arc: Arc,
  key: string,
  { questionId, messageId }: StepInputs['grade'],
  graded: StepOutputs['grade'] | null,
) {
  const { question, phase, openTurn } = arc.state
  if (question?.id !== questionId) return
  const quality = graded?.quality ?? null
  if (quality === null) {
    if (phase === 'TEACHING') arc.moveTo('TEACHING', 'questioning')
    return arc.say('ask-again', { text: arc.question?.text ?? '' })
  }
  arc.sayWritten(key, { text: graded?.feedback_text ?? '' })
  answered(arc, { messageId, text: openTurn?.text ?? '', quality, judgedBy: 'model' })
}

/** The coordinator is to say what the message is about. */
function route(arc: Arc, { id: messageId }: Message): void {
  const questionId = arc.state.question?.id ?? null
  hearFor(arc)
  arc.handTo('coordinator', 'to read the message')
  arc.ask('route', { messageId, questionId }, 'read the message')
}

/** What the message is about is known; where nobody could say, it is taken for an answer. */
export function takeRoute(
  arc: Arc,
  { messageId }: StepInputs['route'],
  decision: StepOutputs['route'] | null,
) {
  const { question } = arc.state
  const concept = decision?.concept ?? null
  switch (decision?.intent ?? 'answer') {
    case 'answer':
      handBack(arc, 'it is an answer')
      if (!question) return nothingOpen(arc)
      return arc.tutor === 'offline' ? putInFormat(arc) : grade(arc, { id: messageId })
    case 'plan':
      return showPath(arc)
    case 'learn':
      return learnAbout(arc, messageId, concept)
    case 'off_topic':
      arc.say({ phrase: 'off-topic', params: { topic: arc.topic } })
      arc.putAgain()
      return handBack(arc, 'it leads away from the topic')
    default:
      return help(arc, messageId, concept)
  }
}

/** A question of the learner's own: it is answered, and the place is kept. */
function help(arc: Arc, messageId: string, concept: string | null): void {
  const questionId = arc.state.question?.id ?? null
  hearFor(arc)
  arc.handTo('tutor', 'the learner asks a question')
  const input = { messageId, questionId, concept, replaces: null }
  arc.ask('help', input, concept ?? 'a question')
}

/** The answer is written; where there is none that is said. */
export function takeHelp(
  arc: Arc,
  key: string,
  { replaces }: StepInputs['help'],
  written: StepOutputs['help'] | null,
): void {
  if (replaces !== null) {
    if (written) arc.sayInstead(replaces, key, { text: written.text })
    else arc.notify('again-failed')
    return
  }
  if (written) arc.sayWritten(key, { text: written.text })
  else arc.say('help-failed')
  arc.putAgain()
  handBack(arc, 'the question is answered')
}

function showPath(arc: Arc): void {
  hearFor(arc)
  arc.handTo('pathplanner', 'the learner asks what comes next')
  arc.ask('path', { purpose: 'asked' }, 'what comes next')
}

/** The path is written, or nobody could. */
export function takePath(
  arc: Arc,
  key: string,
  { purpose }: StepInputs['path'],
  written: StepOutputs['path'] | null,
): void {
  if (written) arc.sayWritten(key, { text: written.path_reasoning })
  if (purpose === 'completed') return
  if (!written) arc.say('help-failed')
  arc.putAgain()
  handBack(arc, 'the path is shown')
}

/** Somebody else hears the learner for a while; whoever spoke goes on after that. */
function hearFor(arc: Arc): void {
  arc.state.speaker ??= arc.state.role
}

/** Whoever spoke before the learner asked goes on. */
function handBack(arc: Arc, reason: string): void {
  const { speaker } = arc.state
  arc.state.speaker = null
  if (speaker) arc.handTo(speaker, reason)
}

/** The learner asks for a concept: one that was skipped comes back; another one is explained. */
function learnAbout(arc: Arc, messageId: string, concept: string | null) {
  const wanted = concept === null ? null : labelKey(concept)
  const node = arc.map.nodes.find(({ label }) => labelKey(label) === wanted)
  if (!node?.metadata.skipped) return help(arc, messageId, concept)
  const { skipped: _, ...metadata } = node.metadata
  arc.setNode({ ...node, metadata })
  arc.say({ phrase: 'back-to', params: { label: node.label } })
  if (!arc.state.lesson && !arc.state.question) takeInHand(arc, node.id)
  arc.putAgain()
  handBack(arc, 'the concept is back')
}

function nothingOpen(arc: Arc): void {
  arc.say({ phrase: 'nothing-open', params: { at: arc.nextReviewAt, now: arc.at } })
}

function obey(arc: Arc, command: Command, message: Message) {
  const { question } = arc.state
  switch (command) {
    case 'pause':
      arc.state.paused = true
      return arc.say('paused')
    case 'resume':
      arc.say('resumed')
      return arc.putAgain()
    case 'plan':
      return showPath(arc)
    case 'contest':
      return contest(arc, message.id)
    case 'practice':
      return practise(arc)
    case 'help':
      return help(arc, message.id, question?.label ?? null)
  }
  if (!question) return nothingOpen(arc)
  switch (command) {
    case 'skip':
      return skip(arc, message)
    case 'show':
      return judged(arc, message, 'shown')
    case 'dont_know':
      return judged(arc, message, 'abstained')
    case 'hint':
    case 'stuck':
      return hint(arc)
  }
}

function hint(arc: Arc) {
  const open = arc.state.question
  if (!open) return
  const text = arc.question?.hints[open.hintsGiven]
  if (text === undefined) return arc.say('no-hint')
  arc.say({ text })
  open.hintsGiven += 1
}

function skip(arc: Arc, message: Message) {
  switch (arc.state.question?.kind) {
    case 'diagnostic':
      arc.closeQuestion(null)
      arc.state.diagnosed = true
      return arc.say('diagnosis-skipped')
    case 'teach':
      return skipConcept(arc)
    case 'quiz':
      arc.say('question-skipped')
      return answerQuiz(arc, {
        messageId: message.id,
        text: message.text,
        quality: 0,
        judgedBy: 'code',
      })
    case 'review':
      return skipReview(arc)
  }
}
