/**
 * The parts of the page that the first screen does not show, in one chunk: fetched when the browser is idle, or when the first of them is
 * needed if that is earlier. What is large and rare (terminal, plot, diff, settings) has a chunk of its own instead.
 */

export { Confirmation } from './access/ConfirmStep.tsx';
export { LoginCards } from './access/LoginCards.tsx';
export { LoginWaiting } from './access/LoginWaiting.tsx';
export { AccountPanel } from './account/AccountPanel.tsx';
export { LoginFailed } from './account/LoginFailed.tsx';
export { AttemptsButton } from './attempts/AttemptsButton.tsx';
export { NoCheckpoints } from './changes/NoCheckpoints.tsx';
export { TurnChanges } from './changes/TurnChanges.tsx';
export { AskedCommands } from './composer/AskedCommands.tsx';
export { QueueList } from './composer/QueueList.tsx';
export { ShellPrompt } from './composer/ShellPrompt.tsx';
export { SuggestList } from './composer/SuggestList.tsx';
export { ArchivedRows } from './conversations/ArchivedRows.tsx';
export { FoundList } from './conversations/FoundList.tsx';
export { Dialogs } from './Dialogs.tsx';
export { OpenDrawer } from './drawer/OpenDrawer.tsx';
export { FindBar } from './find/FindBar.tsx';
export { MarkedWords, showWord } from './find/MarkedWords.tsx';
export { MoreMenu } from './header/MoreMenu.tsx';
export { Palette } from './palette/Palette.tsx';
export { BesidePane } from './panes/BesidePane.tsx';
export { RecentProjects } from './start/RecentProjects.tsx';
export { StartOptions } from './start/StartOptions.tsx';
export { BlockActions } from './transcript/BlockActions.tsx';
export { GivenContext } from './transcript/GivenContext.tsx';
export { SubAgentCard } from './transcript/SubAgentCard.tsx';
export { SubAgentDialog } from './transcript/SubAgentDialog.tsx';
export { ProjectQuestion } from './trust/ProjectQuestion.tsx';
export { Attention } from './ui/Attention.tsx';
