/** The branch with its menu, and pull, push and pull request with what they would do. */
import { ArrowDown, ArrowUp, ChevronDown, GitBranch, GitPullRequest } from 'lucide-react';
import { useState } from 'react';
import type { RepositoryStatus } from '../../contract/changes.ts';
import type { ConversationId } from '../../contract/ids.ts';
import { EN_SHIP } from '../strings/en-ship.ts';
import { EN_WORK_TREE } from '../strings/en-work-tree.ts';
import { showName } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { BranchDialog } from './BranchDialog.tsx';
import { RequestDialog } from './RequestDialog.tsx';
import styles from './Ship.module.css';
import { syncOffer } from './sync-offer.ts';
import type { Ship } from './use-ship.ts';

interface ShipBarProps {
  readonly conversationId: ConversationId;
  readonly status: RepositoryStatus;
  readonly ship: Ship;
}

/** Of a commit that stands in place of a branch. */
const SHORT_SHA = 8;

export function ShipBar({ conversationId, status, ship }: ShipBarProps) {
  const [isChoosing, setChoosing] = useState(false);
  const [isRequesting, setRequesting] = useState(false);
  const { branch, head } = status;
  const where = branch ?? (head === null ? EN_WORK_TREE.unborn : EN_WORK_TREE.detached(head.slice(0, SHORT_SHA)));
  const { pull, push, canRequest } = syncOffer(status, ship.facts);
  return (
    <div className={styles.bar}>
      <button
        type="button"
        className={styles.chip}
        aria-haspopup="dialog"
        aria-label={EN_SHIP.branch.chip(showName(where))}
        title={showName(where)}
        onClick={() => {
          setChoosing(true);
          void ship.read();
        }}
      >
        <GitBranch size={14} aria-hidden />
        <b>{showName(where)}</b>
        <ChevronDown size={12} aria-hidden />
      </button>
      {pull !== null && (
        <Button
          aria-label={showName(pull.name)}
          title={showName(pull.name)}
          aria-disabled={pull.problem !== null || ship.isBusy}
          onClick={() => {
            if (pull.problem !== null) ship.refuse('pull', pull.problem);
            else void ship.act({ action: 'pull', mode: 'ff' });
          }}
        >
          <ArrowDown size={14} aria-hidden />
          {EN_SHIP.sync.pull}
          {pull.count > 0 && <span className={styles.count}>{pull.count}</span>}
        </Button>
      )}
      {push !== null && (
        <Button
          aria-label={showName(push.name)}
          title={showName(push.name)}
          aria-disabled={push.problem !== null || ship.isBusy}
          onClick={() => {
            if (push.problem !== null) ship.refuse('push', push.problem);
            else void ship.act({ action: 'push', force_with_lease: false });
          }}
        >
          <ArrowUp size={14} aria-hidden />
          {EN_SHIP.sync.push}
          {push.count > 0 && <span className={styles.count}>{push.count}</span>}
        </Button>
      )}
      {canRequest && (
        <Button
          tone="quiet"
          icon={<GitPullRequest size={16} aria-hidden />}
          name={EN_SHIP.request.button}
          aria-haspopup="dialog"
          onClick={() => setRequesting(true)}
        />
      )}
      {isChoosing && <BranchDialog status={status} ship={ship} onClose={() => setChoosing(false)} />}
      {isRequesting && (
        <RequestDialog
          conversationId={conversationId}
          status={status}
          ship={ship}
          onClose={() => setRequesting(false)}
        />
      )}
    </div>
  );
}
