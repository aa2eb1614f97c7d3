import type { Language } from '../domain/language/languages.ts'
import type { Aside } from '../domain/talk/asides.ts'

/** What every tutor here says to a question about the learning, where nothing more particular is known. */
export const ASIDES: Readonly<Record<Language, Readonly<Record<Aside, string>>>> = {
  en: {
    time: 'As long as you like: a few minutes at a time are enough. You can stop after every question, and I keep your place.',
    schedule:
      'There are no fixed hours: stop when you want and come back when you want, I keep your place.',
    exam: 'What your exam asks I cannot know; whoever sets it can tell you.',
    use: 'What comes later builds on it, and it is easier to learn in small steps than when it is needed.',
    hard: 'Most things look hard before they have been taken in small steps, and small steps is how we take them.',
    stakes:
      'Nobody gives marks here: what you answer only decides what comes next, and what does not work yet comes back until it does. If you learn in a class, your teacher can see how you get on.',
    tools:
      'Pen and paper are welcome, and so is a guess. A calculator is fine where the numbers are not the point; what you work out yourself is what stays.',
  },
  de: {
    time: 'So lange du magst: Ein paar Minuten am Stück genügen. Du kannst nach jeder Frage aufhören, und ich merke mir, wo du bist.',
    schedule:
      'Feste Zeiten gibt es nicht: Hör auf, wann du willst, und komm wieder, wann du willst; ich merke mir, wo du bist.',
    exam: 'Was in deiner Prüfung gefragt wird, kann ich nicht wissen; das sagt dir, wer sie stellt.',
    use: 'Was später kommt, baut darauf auf, und in kleinen Schritten lernt es sich leichter, als wenn man es plötzlich braucht.',
    hard: 'Das meiste sieht schwer aus, bis man es in kleinen Schritten angeht, und so gehen wir es an.',
    stakes:
      'Noten gibt hier niemand: Was du antwortest, entscheidet nur, was als Nächstes kommt, und was noch nicht klappt, kommt wieder, bis es klappt. Wenn du in einer Klasse lernst, sieht deine Lehrkraft, wie du vorankommst.',
    tools:
      'Papier und Stift sind willkommen, und raten darfst du auch. Ein Taschenrechner ist in Ordnung, wo es nicht ums Rechnen geht; was du selbst herausfindest, bleibt dir.',
  },
}
