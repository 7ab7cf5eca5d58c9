/** Images that go with the message. */
import { ImageIcon, X } from 'lucide-react';
import { en } from '../strings/en.ts';
import { showText } from '../transcript/ansi.ts';
import styles from './ImageTray.module.css';
import type { Attached } from './read-images.ts';

interface ImageTrayProps {
  readonly images: readonly Attached[];
  readonly onRemove: (key: string) => void;
}

export function ImageTray({ images, onRemove }: ImageTrayProps) {
  if (images.length === 0) return null;
  return (
    <ul className={styles.tray}>
      {images.map((one) => (
        <li key={one.key} className={styles.item}>
          {/* Only what the page holds itself is shown; an address is never fetched. */}
          {one.image.value.startsWith('data:') ? (
            <img src={one.image.value} alt={one.name} className={styles.image} />
          ) : (
            <span className={styles.file}>
              <ImageIcon size={14} aria-hidden />
              {showText(one.name)}
            </span>
          )}
          <button
            type="button"
            className={styles.remove}
            aria-label={en.composer.removeImage(one.name)}
            onClick={() => onRemove(one.key)}
          >
            <X size={12} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}
