/** On a phone the keyboard covers the page without resizing it: the shell takes the height that is really in view. */
import { useEffect } from 'react';

/** Bars of a browser that come and go are lower than any keyboard. */
const KEYBOARD_PX = 150;

export function useViewport(): void {
  useEffect(() => {
    const viewport = window.visualViewport;
    if (viewport === null) return;
    const measure = () => {
      // Zoomed in, the viewport is smaller than the page and nothing is covered.
      const isZoomed = viewport.scale > 1.01;
      document.documentElement.style.setProperty('--viewport-height', isZoomed ? '100dvh' : `${viewport.height}px`);
      document.documentElement.toggleAttribute(
        'data-keyboard',
        !isZoomed && innerHeight - viewport.height > KEYBOARD_PX,
      );
      if (!isZoomed && viewport.offsetTop > 0) scrollTo(0, 0);
    };
    measure();
    viewport.addEventListener('resize', measure);
    return () => viewport.removeEventListener('resize', measure);
  }, []);
}
