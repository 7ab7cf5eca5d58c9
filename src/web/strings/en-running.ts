/** Words about what runs for a conversation. Part of `en`. */
import { plural } from './plural.ts';

export const EN_RUNNING = {
  nextSteps: {
    compact: 'Compact',
    signIn: 'Sign in',
    againHint: 'Sends the message of the failed turn once more',
    implement: 'Implement this plan',
    implementHint: 'Leaves plan mode and tells Codex to go ahead',
    implementWords: 'Implement the plan.',
  },
  elsewhere: {
    from: (program: string) => `from ${program}`,
    held: (program: string, pid: number) =>
      `${program} (process ${pid}) has this conversation open. You can read along; close it there to write here.`,
    fork: 'Fork here',
    forkHint: 'A new conversation with everything up to the last finished turn',
  },
  words: {
    ofTool: 'The request, in Codex’s words',
    ofServer: (server: string) => `In the words of ${server}`,
  },
  runs: {
    label: 'Running for this conversation',
    none: 'Nothing runs for this conversation.',
    end: 'End',
    endCommand: (command: string) => `End ${command}`,
    endAgain: 'Try again',
    endAll: 'End all',
    kinds: { command: 'Codex command', left: 'left running by an ended command', terminal: 'in the terminal' },
    states: {
      running: 'still running',
      ending: 'ending (SIGTERM sent)',
      killing: 'killing (SIGKILL sent)',
      not_ended: 'could not be ended',
    },
    processes: (count: number) => plural(count, 'process', 'processes'),
    count: (count: number) => `${count} still running`,
    countHint: 'Show what still runs for this conversation',
    killed: 'stopped (killed)',
    notEnded: (count: number) =>
      `${plural(count, 'command', 'commands')} could not be ended and still ${count === 1 ? 'runs' : 'run'}.`,
    since: (time: string) => `since ${time}`,
    endedToo: (count: number) => `${plural(count, 'command', 'commands')} that ran for it ended.`,
  },
};
