/** The dialogs that commands open, each by its name. Loaded with the parts that the first screen does not show. */
import { AccountDialog } from './account/AccountDialog.tsx';
import { AttemptsDialog } from './attempts/AttemptsDialog.tsx';
import { FinishDialog } from './changes/FinishDialog.tsx';
import { RenameDialog } from './conversations/RenameDialog.tsx';
import { Details } from './header/Details.tsx';
import { ShortcutSheet } from './palette/ShortcutSheet.tsx';
import { ReviewDialog } from './review/ReviewDialog.tsx';
import { ForkDialog } from './start/ForkDialog.tsx';
import type { DialogName } from './state/store.ts';

export function Dialogs({ name }: { readonly name: DialogName }) {
  switch (name) {
    case 'shortcuts':
      return <ShortcutSheet />;
    case 'details':
      return <Details />;
    case 'account':
      return <AccountDialog />;
    case 'rename':
      return <RenameDialog />;
    case 'review':
      return <ReviewDialog />;
    case 'finish':
      return <FinishDialog />;
    case 'fork':
      return <ForkDialog />;
    case 'attempts':
      return <AttemptsDialog />;
    default:
      return name satisfies never;
  }
}
