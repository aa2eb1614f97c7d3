import { Command, Option } from 'commander'
import { runChat } from './cli/run-chat.ts'

const LEVELS = ['unknown', 'beginner', 'intermediate', 'advanced']

const program = new Command('npm run').showHelpAfterError('See: npm run chat -- --help')
program
  .command('chat')
  .usage('-- [options] ["topic"]')
  .description('Learn with the tutor in the terminal, and go on where you left off')
  .argument('[topic...]', 'what to learn; without it you choose')
  .option('--new', 'begin anew, also where the topic has been begun already')
  .option('--goal <text>', 'what you want to be able to do')
  .addOption(new Option('--level <level>', 'what you know already').choices(LEVELS))
  .action(async (words: string[], { new: isNew = false, goal = null, level = null }) => {
    const topic = words.join(' ').trim()
    process.exit(await runChat({ topic: topic === '' ? null : topic, isNew, goal, level }))
  })
await program.parseAsync()
