/** One listener for every link to a file in the page: it opens the viewer instead of following the address. */
import { useEffect } from 'react';
import { useCommands } from '../state/use-app.ts';

export function useFileLinks(): void {
  const { showFile } = useCommands();
  useEffect(() => {
    const open = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('[data-file]') : null;
      if (!(link instanceof HTMLElement) || event.button > 1) return;
      event.preventDefault();
      showFile({ path: link.dataset.file ?? '', line: Number(link.dataset.line) || null });
    };
    // The middle button has an event of its own; the address would open an empty tab.
    document.addEventListener('click', open);
    document.addEventListener('auxclick', open);
    return () => {
      document.removeEventListener('click', open);
      document.removeEventListener('auxclick', open);
    };
  }, [showFile]);
}
