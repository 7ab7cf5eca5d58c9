/** Which scope each route and socket has. A new one is added here on purpose, after asking what a leaked token could do with it. */
import { expect, test } from 'vitest';
import type { RouteDef } from './route.ts';
import { ROUTES } from './routes.ts';
import { OTHER_PATHS, SOCKETS } from './sockets.ts';

const SCOPES: Readonly<Record<string, string>> = {
  public: 'health takeWebhook logIn awaitLogin challenge prove',
  read: `worktreeBranches listAttempts openapi configSchema session status readConfig models account listConversations listDeleted selectConversation readConversation currentConversation
    conversationNetwork readSubAgent rollouts messageContext readQueue transcript transcriptRange approvalRecord listApprovals mention directories readFile readImage search usage
    listShells projectShells readShell shellLogs searchShellLogs listTerminals terminalState terminalBlocks terminalBlock terminalOutput terminalScreen
    terminalScrollback boardList boardTopics boardGet boardAwait listEventThreads listEvents readEvent listRejectedEvents tryEvent
    readEventRules eventSchema listTokens trustList trustProject listRunning recentProjects startSettings
    changesStatus changesDiff reviewChoices listCheckpoints readCheckpoint watchChanges readShip suggestCommit draftPullRequest readShipRun listSchedules previewSchedule`,
  operate: `start stop initialize rpc writeConfig setCwd createConversation patchConversation patchCurrentConversation
    deleteConversation restoreConversation archiveConversation unarchiveConversation forkConversation revertConversation
    recoverConversation reviewConversation markRead sendMessage interrupt compact writeQueue resumeQueue sendQueued appendNote boardPost boardDelete boardMarkRead
    mcpToken publishEvent publishEvents ackEvent ackEvents markEventsUnread createToken revokeToken trustRevoke endRunning
    undoCheckpoint restoreCheckpoint stageChanges unstageChanges discardChanges askAboutBlock
    commitChanges createBranch switchBranch pullChanges pushChanges openPullRequest cancelShipRun
    addSchedule changeSchedule runSchedule removeSchedule`,
  run: `shellExec upShells stopShell restartShell inputShell purgeShell purgeShells addTerminal removeTerminal terminalOpen terminalInput terminalInterrupt
    terminalResize terminalClose listWorktrees addWorktree finishWorktree removeWorktree`,
  owner: `logout accountLogin accountLoginCancel accountLogout debugRaw debugState debugToggle answerApproval writeEventRules readPassword writePassword
    trustDecide listLogins answerLogin forgetProject writePage writeWorktreeSetup`,
};

test('[AT2] every route has exactly one scope, and it is the one of this list', () => {
  const listed = Object.entries(SCOPES).flatMap(([scope, ids]) => ids.split(/\s+/).map((id) => [id, scope]));
  const real = Object.entries<RouteDef>(ROUTES).map(([id, { scope }]) => [id, scope]);
  expect(listed.sort()).toEqual(real.sort());
});

test('[AT2] every socket and every other path has exactly one scope', () => {
  const all = { ...SOCKETS, ...OTHER_PATHS };
  expect(Object.fromEntries(Object.entries(all).map(([id, { path, scope }]) => [id, `${path} ${scope}`]))).toEqual({
    events: '/ws/appserver read',
    raw: '/ws/appserver?mode=raw owner',
    board: '/ws read',
    terminal: '/ws/pty/ run',
    shells: '/fws/logs run',
    metrics: '/metrics read',
    mcp: '/mcp public',
  });
});

/** What a command of an agent may call, whatever token it shows. A new row is added here on purpose, after asking what it could do with it. */
const AGENTS: Readonly<Record<string, string>> = {
  any: `openapi configSchema session status listConversations boardPost boardList boardTopics boardGet boardAwait boardMarkRead listEventThreads eventSchema`,
  own: `readConversation currentConversation conversationNetwork readSubAgent transcript transcriptRange messageContext readQueue publishEvent publishEvents listEvents
    readEvent listRejectedEvents ackEvent ackEvents markEventsUnread changesStatus changesDiff
    reviewChoices listCheckpoints readCheckpoint`,
};

test('[AG3] commands of agents may call exactly the routes of this list', () => {
  const listed = Object.entries(AGENTS).flatMap(([access, ids]) => ids.split(/\s+/).map((id) => [id, access]));
  const real = Object.entries<RouteDef>(ROUTES).flatMap(([id, { agents }]) =>
    agents === undefined ? [] : [[id, agents]],
  );
  expect(listed.sort()).toEqual(real.sort());
});
