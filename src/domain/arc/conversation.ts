import { type ForeseenMistake, remedyOf } from '../answers/foreseen-mistake.ts'
import { judgeAnswer } from '../answers/judge.ts'
import { normalText } from '../answers/normal-text.ts'
import { FULL_QUALITY, isPassed, type Verdict } from '../mastery/quality.ts'
import { isMet } from '../mind-map/frontier.ts'
import { prerequisiteGraph } from '../mind-map/graph.ts'
import { labelKey } from '../mind-map/label.ts'
import type { MindMapNode } from '../mind-map/mind-map.ts'
import { bySequence } from '../mind-map/node-order.ts'
import { isAside } from '../talk/asides.ts'
import { readCommand } from '../talk/commands.ts'
import { readWish, type Talk } from '../talk/wishes.ts'
import { takeAnswer } from './answering.ts'
import type { Arc, Part } from './arc.ts'
import { answerAside } from './asides.ts'
import { contest } from './contesting.ts'
import { diagnoseAgain } from './diagnosing.ts'
import {
  codeQuality,
  maySecond,
  missedWords,
  secondTry,
  takeUpMistake,
  verdictWords,
} from './grading.ts'
import { withPlace } from './placement.ts'
import { practise } from './practising.ts'
import type { Question } from './question.ts'
import { noteMistakes } from './recurring-mistakes.ts'
import { type Command, readReply } from './reply.ts'
import { skipReview } from './reviewing.ts'
import type { HelpWish, StepInputs, StepOutputs } from './steps.ts'
import { choiceIn } from './stop-offer.ts'
import { afterCheck, answerQuiz, setAside, takeInHand } from './teaching.ts'

/** A learner's message, as it was stored. */
export interface Message {
  id: string
  text: string
  action: Command | null
  /** The question it names, and the concept that its action is about, if it names them. */
  questionId: string | null
  nodeId: string | null
}

/** Readings of a message that is no prose of the learner's own. */
const SET_WORDS = ['command', 'teach', 'talk', 'program']

/** Takes up a learner's message: what code can read is acted on, the rest is routed. */
export function takeUpMessage(arc: Arc, message: Message) {
  const { question, sitting } = arc.state
  const full = arc.question
  const reply = readReply({
    ...message,
    open: question && full ? { ...full, id: question.id } : null,
  })
  arc.noteMessage()
  // What is asked for in set words tells nothing of who has been heard before.
  if (!SET_WORDS.includes(reply.kind) || arc.state.language === undefined) arc.hear(message.text)
  arc.state.paused = false
  sitting.resting = false
  if (question?.kind === 'choice') return chooseToGoOn(arc, message)
  switch (reply.kind) {
    case 'command':
      return obey(arc, reply.command, message)
    case 'teach':
      return teachNamed(arc, message, reply.concept)
    case 'talk':
      return chat(arc, message, reply.talk)
    case 'late':
      arc.say('question-closed')
      return arc.leadBack()
    case 'program':
      return runProgram(arc, message)
    case 'judged':
      return judged(arc, message, reply)
    case 'unjudged':
      if (isClosedOption(arc, message.text)) return arc.say('option-closed')
      return arc.tutor === 'offline' ? notRead(arc) : grade(arc, message)
    default:
      return route(arc, message)
  }
}

/** Whether it is the option that was tried at first, which is not offered any more. */
function isClosedOption(arc: Arc, text: string): boolean {
  const option = arc.state.question?.first?.option
  return !!option && normalText(option) === normalText(text)
}

/** The answer to the offer to stop: everything but "enough" goes on. */
function chooseToGoOn(arc: Arc, message: Message) {
  const { text, action } = message
  const said = readCommand(text)
  const choice = choiceIn(text)
  const stops = choice === 'stop' || said === 'pause'
  arc.closeQuestion(null)
  arc.state.sitting.offersStop = false
  if (stops && action === null) {
    arc.state.sitting.resting = true
    const at = arc.nextReviewAt
    return arc.say({ phrase: 'enough', params: { at, now: arc.at } })
  }
  const goesOn = choice === 'go_on' || said === 'resume'
  arc.say('go-on')
  // Whatever else was said is heard as it would have been without the offer.
  const isOfQuestion = said !== null && OF_QUESTION.includes(said)
  if (!goesOn && (action !== null || readWish(text) === null) && !isOfQuestion) {
    takeUpMessage(arc, message)
  }
}

/** Said of a question, and none is open beside the offer. */
const OF_QUESTION: readonly Command[] = ['skip', 'show', 'dont_know', 'hint', 'stuck']

/** A word that needs nothing done, or a question about the learning. */
function chat(arc: Arc, message: Message, talk: Talk) {
  if (talk === 'distress') return arc.say('talk-distress')
  if (OF_SUBJECT.includes(talk) && arc.tutor !== 'offline') return route(arc, message)
  if (isAside(talk)) answerAside(arc, talk)
  else arc.say(`talk-${talk}`)
  arc.leadBack()
}

/** Of these a model knows more, and of what the learner has told. */
const OF_SUBJECT: readonly Talk[] = ['exam', 'use', 'hard']

/** What code cannot read, where there is no model: how to answer is said, every second time with the ways past the question. */
function notRead(arc: Arc): void {
  const { question: open } = arc.state
  const { question } = arc
  if (!open || !question) return
  open.unread += 1
  putAgain(arc, open.unread % 2 === 0 ? 'put-again-offer' : 'put-again')
}

/** How the open question is answered, with the ways past it. */
function putAgain(arc: Arc, phrase: 'put-again' | 'put-again-offer'): void {
  const { question } = arc
  if (!question) return
  const isCheck = arc.state.question?.kind === 'diagnostic'
  arc.say({ phrase, params: { format: question.format, isCheck } })
}

/** What code has found of an answer. `why`: what is said of it before. */
interface Judged {
  verdict: Verdict
  mistake?: ForeseenMistake | null
  why?: Part[]
}

/** Code has come to a verdict. */
export function judged(
  arc: Arc,
  message: Pick<Message, 'id' | 'text'>,
  { verdict, mistake = null, why = [] }: Judged,
) {
  const { question: open } = arc.state
  const { question } = arc
  if (!open || !question) return
  noteMistakes(arc, verdict, mistake)
  if (why.length > 0) arc.say(...why)
  if (open.kind === 'diagnostic') arc.say('noted')
  else if (verdict === 'wrong' || verdict === 'close') {
    const tried = optionChosen(question, message.text)
    const { id: messageId, text } = message
    const isForeseen = mistake !== null && remedyOf(mistake) !== null
    const isExplained = isForeseen || why.length > 0 || arc.tutor === 'offline'
    if (!isExplained) return explain(arc, messageId, verdict, tried)
    if (maySecond(arc)) {
      return takeUpMistake(arc, { messageId, text }, mistake, verdict === 'close', tried)
    }
    arc.sayVerdict(null, ...verdictWords(arc, verdict, mistake))
  } else arc.say(...verdictWords(arc, verdict, mistake))
  const given = verdict === 'abstained' || verdict === 'shown'
  const quality = given ? 0 : codeQuality(arc, verdict)
  takeAnswer(arc, { messageId: message.id, text: message.text, quality, judgedBy: 'code' })
}

/** The option that a reply is, by its text first, then its letter or number. */
function optionChosen({ options }: Question, text: string): string | null {
  if (!options) return null
  const { value } = judgeAnswer(text, { type: 'choice', correct: '' }, { text: '', options })
  return options.find(({ id }) => id === value)?.id ?? null
}

/** The model is to say why code found the answer wrong; the verdict stands. */
function explain(
  arc: Arc,
  messageId: string,
  codeVerdict: 'close' | 'wrong',
  tried: string | null,
): void {
  const { question, phase } = arc.state
  if (!question) return
  if (phase === 'TEACHING') arc.moveTo('TEACHING', 'evaluating')
  arc.ask('explain', { questionId: question.id, messageId, codeVerdict, tried }, question.label)
}

/** The explanation has come, or none: the answer has the verdict of code either way, and a first one a second try. */
export function takeExplanation(
  arc: Arc,
  key: string,
  { questionId, messageId, codeVerdict, tried }: StepInputs['explain'],
  written: StepOutputs['explain'] | null,
) {
  const { question, openTurn, phase } = arc.state
  if (question?.id !== questionId) return
  const text = openTurn?.text ?? ''
  const words = written?.feedback_text ?? ''
  if (maySecond(arc)) {
    if (phase === 'TEACHING') arc.moveTo('TEACHING', 'questioning')
    const answer = { messageId, text }
    if (words === '') return takeUpMistake(arc, answer, null, codeVerdict === 'close', tried)
    arc.sayVerdict(key, codeVerdict === 'close' ? 'close' : 'wrong-once', { text: words })
    return secondTry(arc, answer, tried)
  }
  const [verdict = 'wrong', ...missed] = verdictWords(arc, codeVerdict)
  arc.sayVerdict(key, verdict, { text: words }, ...missed)
  const quality = codeQuality(arc, codeVerdict)
  takeAnswer(arc, { messageId, text, quality, judgedBy: 'code' })
}

/** A program was sent: it is tested, and the question stays open until then. */
function runProgram(arc: Arc, { id: messageId }: Message): void {
  const { question } = arc.state
  if (!question) return
  arc.ask('run-program', { questionId: question.id, messageId }, question.label)
}

/** The model says of what code cannot read whether it is an answer, and grades it. */
function grade(arc: Arc, { id: messageId }: Pick<Message, 'id'>, routed = false): void {
  const { question, phase } = arc.state
  if (!question) return
  if (phase === 'TEACHING') arc.moveTo('TEACHING', 'evaluating')
  const input = {
    ...{ questionId: question.id, messageId, again: false, routed },
    secondTry: maySecond(arc),
  }
  arc.ask('grade', input, question.label)
}

/** The grade has come; what was no answer, or could not be graded, is not stored, and the question stays. */
export function takeGrade(
  arc: Arc,
  key: string,
  { questionId, messageId, routed = false }: StepInputs['grade'],
  graded: StepOutputs['grade'] | null,
) {
  const { question, phase, openTurn } = arc.state
  if (question?.id !== questionId) return
  const feedback = graded?.feedback_text ?? ''
  if (graded?.isAnswer === false) {
    if (phase === 'TEACHING') arc.moveTo('TEACHING', 'questioning')
    if (routed && feedback !== '') arc.sayWritten(key, { text: feedback })
    return takeRemark(arc, messageId, routed)
  }
  const quality = graded?.quality ?? null
  if (quality === null) {
    if (phase === 'TEACHING') arc.moveTo('TEACHING', 'questioning')
    return arc.say('ask-again')
  }
  const text = openTurn?.text ?? ''
  if (question.kind === 'diagnostic') arc.say('noted')
  else if (quality === FULL_QUALITY) arc.sayWritten(key, { text: feedback })
  else if (isPassed(quality)) arc.sayVerdict(key, { text: feedback })
  else if (maySecond(arc)) {
    const hint = arc.giveHint()
    const hinted: Part[] = hint === null ? [] : [{ text: hint }]
    if (feedback === '') arc.sayVerdict(null, 'wrong-once', ...hinted)
    else {
      arc.sayVerdict(key, { text: feedback })
      arc.say('try-again', ...hinted)
    }
    const tried = arc.question && optionChosen(arc.question, text)
    return secondTry(arc, { messageId, text }, tried)
  } else {
    const verdict: Part = feedback === '' ? 'wrong' : { text: feedback }
    arc.sayVerdict(key, verdict, ...missedWords(arc, feedback))
  }
  takeAnswer(arc, { messageId, text, quality, judgedBy: 'model' })
}

/** The message was no answer: it is routed; the second one to a question is told how to answer, and the ways on. */
function takeRemark(arc: Arc, messageId: string, routed: boolean) {
  const { question } = arc.state
  if (!question) return
  question.unread += 1
  if (question.unread > 1) return putAgain(arc, 'put-again-offer')
  return routed ? arc.leadBack() : route(arc, { id: messageId }, true)
}

/** The coordinator is to say what the message is about. */
function route(arc: Arc, { id: messageId }: Pick<Message, 'id'>, remark = false): void {
  const questionId = arc.state.question?.id ?? null
  hearFor(arc)
  arc.handTo('coordinator', 'to read the message')
  arc.ask('route', { messageId, questionId, remark }, 'read the message')
}

/** What the message is about is known; where nobody could say, it is taken for an answer. */
export function takeRoute(
  arc: Arc,
  { messageId, remark = false }: StepInputs['route'],
  decision: StepOutputs['route'] | null,
) {
  const { question } = arc.state
  const concept = decision?.concept ?? null
  switch (decision?.intent ?? 'answer') {
    case 'answer':
      handBack(arc, 'it is an answer')
      if (!question) return nothingOpen(arc)
      // The grader has found it to be none, and it was counted then.
      if (remark) return putAgain(arc, 'put-again')
      return arc.tutor === 'offline' ? notRead(arc) : grade(arc, { id: messageId }, true)
    case 'plan':
      return showPath(arc)
    case 'learn':
      handBack(arc, 'another concept is wanted')
      return teachNamed(arc, { id: messageId }, concept ?? '')
    case 'diagnose':
      handBack(arc, 'the level is to be checked again')
      return diagnoseAgain(arc)
    case 'off_topic':
      arc.say({ phrase: 'off-topic', params: { topic: arc.topic } })
      arc.leadBack()
      return handBack(arc, 'it leads away from the topic')
    default:
      return help(arc, messageId, concept)
  }
}

/** A question of the learner's own, or a wish for more of the lesson: it is answered, and the place is kept. */
function help(
  arc: Arc,
  messageId: string,
  concept: string | null,
  wish: HelpWish = 'question',
): void {
  const { question, lesson } = arc.state
  hearFor(arc)
  arc.handTo('tutor', 'the learner asks a question')
  const nodeId = question?.nodeId ?? lesson?.nodeId ?? null
  const before = arc.state.explained
  const times = before && before.nodeId === nodeId ? before.times : 0
  if (nodeId && wish !== 'question') arc.state.explained = { nodeId, times: times + 1 }
  const questionId = question?.id ?? null
  const input = { messageId, questionId, concept, wish, times, replaces: null }
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
    if (written) arc.sayInstead('help', replaces, key, { text: written.text })
    else arc.notify('again-failed')
    return
  }
  if (written) arc.explain('help', key, { text: written.text })
  else arc.say('help-failed')
  arc.leadBack()
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
  if (written?.path_reasoning) arc.sayWritten(key, { text: written.path_reasoning })
  if (purpose === 'completed') return
  if (!written) arc.say('help-failed')
  arc.leadBack()
  handBack(arc, 'the path is shown')
}

/** Somebody else hears the learner for a while; whoever spoke goes on after that. */
function hearFor(arc: Arc) {
  arc.state.speaker ??= arc.state.role
}

/** Whoever spoke before the learner asked goes on. */
function handBack(arc: Arc, reason: string) {
  const { speaker } = arc.state
  arc.state.speaker = null
  if (speaker) arc.handTo(speaker, reason)
}

/** The concept that a learner names: by its label, or by the words of it. */
function nodeNamed(arc: Arc, name: string): MindMapNode | null {
  const wanted = labelKey(name)
  if (wanted === '') return null
  const exact = arc.map.nodes.find(({ label }) => labelKey(label) === wanted)
  if (exact) return exact
  const words = wanted.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2)
  const found = arc.map.nodes.filter(({ label }) =>
    words.every((word) => labelKey(label).includes(word.replace(/s$/, ''))),
  )
  return words.length > 0 && found.length > 0 ? (found.sort(bySequence)[0] ?? null) : null
}

/** The learner wants to be taught a concept by its name. */
function teachNamed(arc: Arc, message: Pick<Message, 'id'>, name: string) {
  const node = nodeNamed(arc, name)
  return node && arc.state.phase !== 'DIAGNOSING'
    ? teach(arc, node)
    : help(arc, message.id, name === '' ? null : name)
}

/** Takes a concept in hand next; where its prerequisites are not met they are named, and asked again it begins. */
function teach(arc: Arc, node: MindMapNode) {
  const { state } = arc
  const isNew = node.masteryStatus !== 'reviewing' && node.masteryStatus !== 'mastered'
  const isInHand = state.lesson?.nodeId === node.id
  const missing = isNew && !isInHand ? unmet(arc, node) : []
  const [first] = missing
  if (first && state.askedFor !== node.id) {
    state.askedFor = node.id
    const params = { label: node.label, missing: missing.map(({ label }) => label) }
    arc.say({ phrase: 'teach-missing', params })
    return arc.leadBack()
  }
  state.askedFor = null
  arc.closeQuestion(null)
  const { skipped: _, ...metadata } = node.metadata
  arc.setNode(withPlace({ ...node, metadata }, false))
  arc.say({ phrase: 'teach-now', params: { label: node.label } })
  takeInHand(arc, node.id, { refresher: !isNew })
}

/** The prerequisites of a concept that are not met, in the order of the map. */
function unmet(arc: Arc, { id }: MindMapNode): MindMapNode[] {
  const parents = prerequisiteGraph(arc.map).parents.get(id) ?? []
  return arc.map.nodes
    .filter((node) => parents.includes(node.id) && !isMet(node, arc.rules.unlockAt))
    .sort(bySequence)
}

/** The learner says that a concept is known: its quiz comes without a lesson, once a sitting. */
function prove(arc: Arc, node: MindMapNode | null) {
  const { state } = arc
  if (!node) {
    arc.say(state.phase === 'DIAGNOSING' ? 'know-in-check' : 'know-nothing')
    return arc.leadBack()
  }
  const { id, label, nextReviewAt: at, masteryStatus } = node
  if (masteryStatus === 'reviewing' || masteryStatus === 'mastered') {
    arc.say({ phrase: 'know-later', params: { label, at, now: arc.at } })
    return arc.leadBack()
  }
  const { lesson } = state
  const isInHand = lesson?.nodeId === id
  const isProof = isInHand && (lesson.quizFirst === 'known' || (lesson.quiz?.asked ?? 0) > 1)
  if (isProof && state.question?.kind === 'quiz') {
    arc.say({ phrase: 'know-in-quiz', params: { label } })
    return arc.leadBack()
  }
  if (state.sitting.proved.includes(id) || state.lesson?.quizFirst === 'known') {
    arc.say({ phrase: 'know-tried', params: { label } })
    return arc.leadBack()
  }
  state.sitting.proved.push(id)
  arc.closeQuestion(null)
  const { skipped: _, ...metadata } = node.metadata
  arc.setNode({ ...node, metadata })
  arc.say({ phrase: 'know-quiz', params: { label } })
  takeInHand(arc, id, { quizFirst: 'known' })
}

function nothingOpen(arc: Arc): void {
  arc.say({ phrase: 'nothing-open', params: { at: arc.nextReviewAt, now: arc.at } })
}

/** The concept that a message names by its id, else the one in hand. */
function nodeMeant(arc: Arc, { nodeId }: Message): MindMapNode | null {
  const { question, lesson } = arc.state
  const id = nodeId ?? question?.nodeId ?? lesson?.nodeId ?? null
  return arc.map.nodes.find((node) => node.id === id) ?? null
}

function obey(arc: Arc, command: Command, message: Message) {
  const { question } = arc.state
  const node = nodeMeant(arc, message)
  switch (command) {
    case 'pause':
      arc.state.paused = true
      return arc.say('paused')
    case 'resume':
      arc.say('resumed')
      return arc.leadBackAgain()
    case 'plan':
      return showPath(arc)
    case 'contest':
      return contest(arc, message.id)
    case 'practice':
      return practise(arc, node)
    case 'help':
    case 'explain':
      return tellMore(arc, message, 'explain')
    case 'example':
      return tellMore(arc, message, 'example')
    case 'know_this':
      return prove(arc, node)
    case 'teach':
      return node ? teach(arc, node) : nothingOpen(arc)
    case 'diagnose':
      return diagnoseAgain(arc)
    case 'skip_concept':
      return skipConcept(arc, node)
  }
  if (!question) return nothingOpen(arc)
  switch (command) {
    case 'skip':
      return skip(arc, message)
    case 'show':
      return judged(arc, message, { verdict: 'shown' })
    case 'dont_know':
      return judged(arc, message, { verdict: 'abstained' })
    case 'hint':
    case 'stuck':
    case 'method':
      return hint(arc, message)
  }
}

/** More of the lesson of the concept in hand. A level check has none: it would measure what was just read. */
function tellMore(arc: Arc, message: Message, wish: 'explain' | 'example') {
  const { question } = arc.state
  if (question?.kind !== 'diagnostic') {
    const label = nodeMeant(arc, message)?.label ?? question?.label ?? null
    return help(arc, message.id, label, wish)
  }
  question.unread += 1
  if (question.unread % 2 === 0) return putAgain(arc, 'put-again-offer')
  arc.say('no-lesson-in-check')
}

function skipConcept(arc: Arc, node: MindMapNode | null) {
  if (node && arc.state.phase !== 'DIAGNOSING') return setAside(arc, node.id)
  arc.say('know-nothing')
  arc.leadBack()
}

/** The next hint; where none is left, the method of the worked example, which costs nothing. */
function hint(arc: Arc, message: Message) {
  const open = arc.state.question
  if (!open) return
  if (open.kind === 'diagnostic') return arc.say('no-hint-in-check')
  const text = arc.giveHint()
  if (text !== null) return arc.say({ text })
  help(arc, message.id, open.label, 'method')
}

/** Words of who wants to pass over one question, not over all of the level check. */
const ONE_QUESTION = /\b(?:question|problem|one|next|pass|frage)\b/i

function skip(arc: Arc, message: Message) {
  const { question } = arc.state
  switch (question?.kind) {
    case 'diagnostic':
      if (message.action === null && ONE_QUESTION.test(message.text)) {
        return judged(arc, message, { verdict: 'abstained' })
      }
      arc.closeQuestion(null)
      arc.state.diagnosed = true
      arc.state.checkSkipped = true
      return arc.say('diagnosis-skipped')
    case 'teach':
      arc.say('question-skipped')
      return afterCheck(arc, true)
    case 'quiz':
      if (question.purpose === 'mixed') return skipReview(arc)
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
