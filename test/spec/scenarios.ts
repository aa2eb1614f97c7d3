/** Every scenario of the seeds that the report of `npm run spec` lists, by requirement. */
export const SCENARIOS = {
  '000 D1 Mind map storage': [
    'The frontier is what is not mastered and whose prerequisites all are, by depth, then effort',
    'An edge is unique and joins nodes of one map',
    'Deleting a map deletes its nodes, edges and responses',
  ],
  '000 D2 Spaced repetition': [
    'Successful recalls are due after 1 day, then 6, then the last interval times the ease',
    'A failed recall starts again at one day',
    'The ease moves with every quality and never falls below 1.3',
    'The next review is the computed interval after this one',
    'At most 20 reviews of one map are pending in one session',
    'What fell due together is asked in one session',
    'A review that nobody takes up is withdrawn after 24 hours',
  ],
  '000 D3 Teaching flow state machine': [
    'The flow takes the moves of the state diagram',
    'A flow can be abandoned from every state that is not terminal, and from those nothing leads on',
    'Any other move is an error that names it',
    'The flow state tells where the learner stands',
  ],
  '000 D4 Diagnostic assessment': [
    'The first probe targets the concept of median difficulty',
    'A right answer leads to a harder concept, a wrong one to an easier one',
    'Three to seven probes are asked, none twice',
    'A diagnosis seeds scores of 0.3 to 0.7, never 1.0',
    'A diagnosed node whose first quiz is failed drops to learning',
  ],
  '000 D5 Curriculum planning': [
    'Ties are broken by depth, then effort, then what is partly known',
    'A cycle proposed by the model is rejected and the model asked again',
  ],
  '000 D6 Learning analytics': [
    'The nightly job writes one snapshot per map and date, with every metric',
  ],
  '000 D8 Quiz response storage': [
    'A quality is a whole number from 0 to 5',
    'Responses are diagnostic, teach or review; review is the default',
  ],
  '000 Open questions': [
    'How deep a topic goes is a setting of the arc',
    'Arcs unlock what comes next at reviewing unless told otherwise',
  ],
  '000 D7 Schedules': [
    'Analytics are computed every night at three',
    'A weekly digest goes to the learner by the channel of their choice',
  ],
  '000 Risks': ['Who stays away for thirty days is warned once, then let go'],
  '001 Topic decomposition into concept graph': [
    'Basic topic decomposition creates nodes and edges',
    'Every node has a populated effort estimate',
    'Root node is recorded on the mind map',
    'All edges are prerequisite edges by default',
  ],
  '001 Structural constraints on concept graph': [
    'Edge creating a cycle is rejected',
    'Graph exceeding 30 nodes is rejected',
    'Node at depth exceeding 5 is rejected',
    'A graph with exactly 30 nodes and depth 5 is accepted',
    'A self-loop edge is rejected',
  ],
  '001 Topological sort with tie-breaking': [
    'Shallower node ranks before deeper node at same topological level',
    'Lower-effort node ranks before higher-effort node at same depth',
    'Diagnosed node ranks before unseen node at same depth and effort',
    'Topological constraint takes precedence over all tie-breaking criteria',
    'Sort is deterministic across multiple calls',
  ],
  '001 Sequence numbering on nodes': [
    'All nodes receive unique sequence numbers after generation',
    'Sequence numbers are stable across node additions',
    'Sequence is queryable and sortable via SQL',
  ],
  '001 Re-planning updates sequence without destroying structure': [
    'Re-plan reorders sequence after mastery state change',
    'Re-plan with reason triggers optional LLM node addition',
    'Re-plan preserves existing edge structure',
    'Re-plan marks a node as skippable based on mastery',
    'Re-planning is idempotent on a stable graph',
  ],
  '001 Goal-directed planning optimizes path to stated goal': [
    'Goal-scoped plan excludes off-path nodes',
    'Goal is recorded on the mind map metadata',
    'Goal-directed sequence puts critical-path nodes first',
    'No-goal plan covers the topic comprehensively',
  ],
  '001 Diagnostic results inform sequence ordering': [
    'High-scoring diagnostic node gets diagnosed status',
    'Low-scoring diagnostic node remains unseen',
    'Diagnosed nodes rank before unseen nodes in sequence',
    'Diagnostic results for unknown node labels are ignored',
    'Mastery seeded conservatively from diagnostic scores',
  ],
  '001 Next-node selection returns highest-priority frontier node': [
    'Returns frontier node with lowest sequence',
    'Non-frontier node is never returned even if it has a low sequence number',
    'Returns None when all nodes are mastered',
    'Returns None for a completed or abandoned mind map',
    'Root node is on the frontier for a fresh mind map',
    'Node in learning state is returned by next-node if on frontier',
  ],
  '001 Syllabus lifecycle governs mind map state transitions': [
    'Mind map transitions to active after curriculum_generate completes',
    'Mind map transitions to completed when all nodes are mastered',
    'curriculum_replan rejects abandoned mind maps',
    'curriculum_generate returns the mind map dict on success',
  ],
  '001 On the path of an arc': [
    'The topic’s units are the goal of the map',
    'A plan that breaks the rules twice blocks the arc, and is asked for again',
    'A re-plan keeps the open question and adds concepts to the map',
    'A re-plan of a sleeping arc keeps its reviews',
    'The arc is completed with its last concept',
  ],
  '002 Two-path classification': [
    'Code judges numbers: right, close within 20 %, or wrong',
    'Code judges the value that a model has found in the message',
    'In scaffolding an answer to the smaller question is told from one to the problem',
    'The answer is never given away',
  ],
  '002 State management': [
    '“Stuck” opens scaffolding, and the right answer to the problem closes it',
    'A right answer after a wrong one opens teach-back',
  ],
  '002 Session persistence': [
    'Half an hour without a turn pauses a session, and the next message goes on with it',
    'A turn that is sent again counts once',
  ],
  '002 Hybrid memory': ['The last three turns of the problem before are kept, marked'],
  '002 Mastery signals': [
    'Mastered: right at the first try advances at once',
    'Learned: right after scaffolding or a wrong answer advances after teach-back',
    'Struggling: after three wrong answers the teacher hears of it, and the problem goes on',
    'Stuck: more than three steps of scaffolding without progress call the teacher',
  ],
  '002 Problem advancement': [
    'After ten minutes on a problem skipping is offered',
    'A session is completed after its last problem',
  ],
  '002 Multi-problem sessions': [
    'A session begins with its first problem',
    'A session is completed early when asked',
    'Callers who send the problem along are served as before',
  ],
  '002 Teacher dashboard': [
    'A teacher sees a session as it runs, and is alerted',
    'A report is counted from the turns and delivered',
  ],
  '003 Routing state machine': [
    'A new arc goes from the coordinator to diagnosis, and from there to the path planner',
    'A hand-over is kept with its reason and the first 100 characters of the message',
    'Asked to plan, the path planner answers what comes next and why; the place is kept',
  ],
  '003 Learning cycle on a concept': [
    'A quiz at the threshold masters the cycle: the concept is reviewed after a day',
    'A quiz below it goes to feedback and back to the tutor, with the cycle counted',
    'Five cycles without mastery lead to the path planner',
  ],
  '003 Diagnostic results of a learner': [
    'Level, gaps and recommendations are kept with the learner and the arc',
  ],
  '003 Agent definitions': [
    'An arc is handed on between the six roles, named in lower case, at most 30 characters',
  ],
  '003 Learning cycle state machine': [
    'The mastery threshold is 0.85 and can be set, up to 1.0',
    'A quiz at or above the threshold ends the cycles, one below it begins the next',
    'After five cycles without mastery the path planner has to help',
    'The number of cycles can be configured',
  ],
  '003 Quiz question limits': ['A concept has one to three questions, a sitting three to ten'],
  '003 Error patterns': ['A pattern is conceptual, procedural or careless'],
  '003 Diagnostic results': [
    'The learner level is beginner, intermediate or advanced, and gaps are named',
  ],
  '003 Database extensions': [
    'The table agent_transitions has the columns of the seed',
    'The table learning_cycles has the columns of the seed',
    'The table diagnostic_results has the columns of the seed',
  ],
  '004 Snapshot (PF-1.1)': [
    'A student begins with an empty snapshot at the entry unit',
    'A snapshot is what its evidence amounts to',
  ],
  '004 Scoped units (PF-3.2)': [
    'At most six units: focus, blocker, target, best mapped, prerequisites',
  ],
  '004 Scoring (PF-3.3)': ['Unit priority is the weighted sum of normalised values'],
  '004 Retrieval (PF-3.5)': ['What is retrieved stays within the scoped units'],
  '004 Validation (PF-3.7)': [
    'A move that breaks the policy is replaced by code, and the model is not asked again',
    'An unavailable exam question never reaches the student',
  ],
  '004 Drill workflow (PF-4.1)': [
    'A drill is graded only as it was given',
    'Confusion tags come from grading only, and of the course’s list',
  ],
  '004 Exam tiers (PF-5.1)': [
    'Passes and streak give bronze, silver and gold',
    'A student is led from nothing to gold in every unit',
  ],
  '004 Exam authority (PF-5.2)': [
    'Without the authority no exam is offered and no answer taken',
    'A wrong answer locks the question for a day',
  ],
  '004 SnapshotLite (PF-6.1)': ['It sums up focus, nudge, queue and progress'],
  '004 Observability (PF-7)': ['A turn tells teachers how it came about'],
  '004 Input A: /turn': [
    'A1: Mapped unit confidence high, prereqs satisfied',
    'A2: Mapped unit high, prereqs missing',
    'A3: Mapped unit ambiguous/low confidence',
    'A4: Evidence shows stuck (attempts≥2 and streak=0)',
    'A5: ExamReady true and examAvailability available (tier-aware)',
  ],
  '004 Input B: /drill/grade': ['B1: Correct', 'B2: Incorrect'],
  '004 Input C: exam events': [
    'C1: MCQ submit correct',
    'C2: MCQ submit incorrect OR support viewed',
  ],
} as const

type Scenarios = typeof SCENARIOS
export type Requirement = keyof Scenarios

/** `requirement: scenario`. */
export type ScenarioName = {
  [R in Requirement]: `${R}: ${Scenarios[R][number]}`
}[Requirement]
