/** Images that go with the message. */
import { X } from 'lucide-react';
import { en } from '../strings/en.ts';
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
          <img src={one.image.value} alt={one.name} className={styles.image} />
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
