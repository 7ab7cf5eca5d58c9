/** ↑ in an empty box goes back through what was said; ↓ forward again. Text that somebody changed is never replaced. */
import { useRef } from 'react';
import { useGetState } from '../state/use-app.ts';

export function useHistory(): { readonly step: (by: 1 | -1, text: string) => string | null } {
  const getState = useGetState();
  const place = useRef({ back: 0, text: '' });
  return {
    step: (by, text) => {
      const said = getState().view.entries.flatMap((entry) =>
        entry.role === 'user' && entry.text !== '' ? [entry.text] : [],
      );
      if (text !== '' && text !== place.current.text) return null;
      const back = (text === '' ? 0 : place.current.back) + by;
      if (back < 0 || back > said.length) return null;
      const next = back === 0 ? '' : (said.at(-back) ?? '');
      place.current = { back, text: next };
      return next;
    },
  };
}
