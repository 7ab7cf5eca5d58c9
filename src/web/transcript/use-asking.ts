/** Whether a request waits for an answer about this very item: its card then says so, and no other row does. */
import { useApp } from '../state/use-app.ts';

export function useAsking(itemId: string | undefined): boolean {
  return useApp((state) => itemId !== undefined && state.view.live.approvals.some((one) => one.item_id === itemId));
}
