/** How people take their leave of a chat or of a program. */
export const LEAVES = [
  ...[
    'i have to go to soccer practice now',
    'I need to go to bed',
    'ok bye then',
    "that's all for now",
  ],
  ...['stop', 'quit', 'Exit', 'bye', 'Goodbye!', 'bye bye', 'see you', 'see you later', 'end'],
  ...['see you tomorrow', 'gotta go', 'i have to go', "I've got to go", "I'm done", 'close', ':q'],
  ...[
    "i'm done for today",
    "that's it for today",
    "let's stop here",
    'good night',
    'ttyl',
    'later',
  ],
  ...['enough', 'enough for today', 'can we stop', 'Can we please stop here?', 'could we stop now'],
  ...[
    "let's stop for today",
    'i want to stop',
    'see ya',
    'cya',
    'byeee',
    "ok that's enough",
    'tomorrow',
  ],
  ...[
    "let's continue tomorrow",
    'I need to go home',
    'i wanna stop',
    "that's enough for now, thanks",
  ],
  ...['tschüss', 'Tschüss!', 'bis morgen', 'bis später', 'ich muss los', 'ich bin fertig', 'ende'],
  ...['feierabend', "für heute reicht's", 'reicht für heute', 'das reicht', 'können wir aufhören?'],
  ...['ich möchte aufhören', 'ich mag nicht mehr', "das war's für heute", 'bis dann', 'ciao'],
  ...['schluss für heute', 'auf Wiedersehen', 'lass uns morgen weitermachen'],
]

/** What sounds like a leave and is none. */
export const NO_LEAVES = [
  ...[
    'when do we stop?',
    'stop the clock at 5',
    'i want to leave this one',
    'go on',
    "let's go on",
  ],
  ...['i need to go to the next step', 'i have to go to lesson 3', "that's all i know"],
  ...['can we go on?', 'i need to go back to fractions', 'it ends with 5', 'see you have 3 apples'],
  ...[
    'ich muss die Klammer auflösen',
    'ich will weitermachen',
    'the night is dark',
    'i am out of ideas',
  ],
]

/** What somebody in need may write, to whom a lesson is of no use; collected from what crisis lines say to listen for. */
export const DISTRESSED = [
  ...[
    'i want to die',
    'I just wanna die lol',
    'i failed again i want to kill myself',
    'im suicidal',
  ],
  ...["I don't want to live anymore", 'i wish i was dead', 'they would be better off without me'],
  ...['i keep hurting myself', 'my dad hits me', 'i am being bullied', 'i want to end it all'],
  ...['ich will nicht mehr leben', 'ich will sterben', 'ich ritze mich', 'mein vater schlägt mich'],
  ...['ich bring mich um', 'ich werde gemobbt'],
]

/** What has the same words in it and means something else. */
export const NO_DISTRESS = [
  ...['how do i kill a process', 'my program dies', 'the loop never ends', 'i am dying of boredom'],
  ...['he wanted to die for his country', 'romeo commits suicide', 'i cut the cake in 5 pieces'],
  ...[
    'this question beats me',
    'the answer hurts my head',
    'i end it with a colon',
    'ich sterbe vor Hunger',
  ],
  ...['i got 12 bullets', 'i would rather do 5 more', 'i dont want to be here at 5'],
]
