/** One switch over what a row can be. A live item and the entry it becomes go to the same component with the same props. */

import type { ReactNode } from 'react';
import type { Entry } from '../../contract/entry.ts';
import type { LiveItem } from '../../contract/ui-event.ts';
import { EventCard } from '../events/EventCard.tsx';
import { en } from '../strings/en.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { AnswersCard } from './AnswersCard.tsx';
import { showText } from './ansi.ts';
import { BoardCard } from './BoardCard.tsx';
import { CommandCard } from './CommandCard.tsx';
import { DiffCard } from './DiffCard.tsx';
import type { ShownStanding } from './event-standings.ts';
import { AssistantCard } from './MessageCard.tsx';
import { MessageRow } from './MessageRow.tsx';
import {
  ApprovalRecord,
  AskingRow,
  ChangingRow,
  ErrorCard,
  NoteCard,
  TurnFooter,
  UnknownCard,
  WarningCard,
} from './NoticeCard.tsx';
import { PlanCard } from './PlanCard.tsx';
import { ReasoningCard } from './ReasoningCard.tsx';
import { RevertedNote } from './RevertedNote.tsx';
import type { Row } from './rows.ts';
import { commandOfEntry, commandOfLive, commandOfShell, toolOfEntry, toolOfLive } from './shown.ts';
import { ToolCard } from './ToolCard.tsx';
import { TurnNext } from './TurnNext.tsx';

const SubAgentCard = lazyPart((later) => later.SubAgentCard, { fallback: <SubAgentHeld /> });
const TurnChanges = lazyPart((later) => later.TurnChanges, { isPatient: true });

export function RowCard({ row }: { readonly row: Row }) {
  switch (row.kind) {
    case 'entry':
      return entryCard(row.key, row.entry, row.input, row.standing);
    case 'message':
      return <MessageRow rowKey={row.key} entry={row.entry} delivery={row.delivery} />;
    case 'live':
      return liveCard(row.key, row.item);
    case 'reasoning':
      return <ReasoningCard row={row} />;
    case 'events':
      return <EventCard rowKey={row.key} entry={row.entry} standings={row.standings} />;
    case 'agent':
      return <SubAgentCard row={row} />;
    case 'asking':
      return <AskingRow title={showText(row.approval.title)} />;
    default:
      return row satisfies never;
  }
}

/** Until the code of the card is there. */
function SubAgentHeld() {
  return <p>{en.toolKinds.sub_agent}</p>;
}

/** Functions, not components: what is live and what it becomes are then one element to React, which keeps its DOM. */
function entryCard(rowKey: string, entry: Entry, input?: Entry, standing?: ShownStanding): ReactNode {
  switch (entry.role) {
    case 'assistant':
      return <AssistantCard text={entry.text} status={entry.status} questions={entry.questions} />;
    case 'plan':
      return <PlanCard steps={entry.steps} text={entry.text ?? ''} isLive={false} />;
    case 'command':
      return <CommandCard rowKey={rowKey} shown={commandOfEntry(entry)} />;
    case 'shell_input':
    case 'shell_output':
      return <CommandCard rowKey={rowKey} shown={commandOfShell(entry, input)} />;
    case 'diff':
      return <DiffCard rowKey={rowKey} diff={entry.diff} status={entry.status} />;
    case 'approval':
      return entry.questions === undefined ? (
        <ApprovalRecord entry={entry} />
      ) : (
        <AnswersCard status={entry.status} decision={entry.decision} questions={entry.questions} />
      );
    case 'tool':
      return <ToolCard rowKey={rowKey} shown={toolOfEntry(entry)} />;
    case 'status':
      return (
        <>
          <TurnFooter entry={entry} ts={entry.ts} />
          <TurnChanges rowKey={rowKey} turnId={entry.turn_id} />
          <TurnNext entry={entry} />
        </>
      );
    case 'error':
      return <ErrorCard text={entry.text} code={entry.code ?? null} />;
    case 'warning':
      return <WarningCard text={entry.text} />;
    case 'board':
      return <BoardCard entry={entry} ts={entry.ts} standing={standing} />;
    case 'note':
      return entry.kind === 'reverted' ? <RevertedNote entry={entry} /> : <NoteCard entry={entry} />;
    case 'user':
    case 'delivery':
    case 'external_event':
    case 'reasoning':
    case 'token_usage':
      return null;
    default:
      // Every role of the contract has a case above; a newer server may write one that this page does not know.
      entry satisfies never;
      return <UnknownCard role={roleOf(entry)} />;
  }
}

function roleOf(entry: { readonly role: string }): string {
  return entry.role;
}

function liveCard(rowKey: string, item: LiveItem): ReactNode {
  switch (item.role) {
    case 'assistant':
      return <AssistantCard text={item.text} status="running" />;
    case 'plan':
      return <PlanCard steps={item.steps} text={item.text} isLive />;
    case 'command':
      return <CommandCard rowKey={rowKey} shown={commandOfLive(item)} />;
    case 'tool':
      return <ToolCard rowKey={rowKey} shown={toolOfLive(item)} />;
    case 'diff':
      return item.text === '' ? (
        <ChangingRow paths={item.paths} itemId={item.item_id} />
      ) : (
        <DiffCard rowKey={rowKey} diff={item.text} status="applied" />
      );
    case 'reasoning':
      return null;
    default:
      return item satisfies never;
  }
}
