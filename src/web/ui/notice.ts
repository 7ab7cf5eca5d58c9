/** Desktop notices and their tone. */
import { en } from '../strings/en.ts';

export async function mayNotify(): Promise<boolean> {
  if (typeof Notification === 'undefined') return false;
  return (await Notification.requestPermission()) === 'granted';
}

/** `place`: where a click on the notice leads. */
export function notify(text: string, place?: string): void {
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
  try {
    const shown = new Notification(en.product, { body: text, tag: 'signalbox', icon: '/icon-192.png' });
    shown.onclick = () => {
      window.focus();
      if (place !== undefined) location.hash = place;
      shown.close();
    };
  } catch {
    // Phones want notices from a service worker; the title and the badge still say it.
  }
}

const TONES = [
  { hz: 660, at: 0 },
  { hz: 880, at: 0.12 },
];
const TONE_S = 0.16;
const LOUDNESS = 0.06;

let audio: AudioContext | null = null;

/** Two short tones. Silent in a page nobody has touched yet: the browser says so. */
export function playChime(): void {
  try {
    audio ??= new AudioContext();
    if (audio.state === 'suspended') void audio.resume();
    for (const { hz, at } of TONES) {
      const tone = audio.createOscillator();
      const volume = audio.createGain();
      const start = audio.currentTime + at;
      tone.frequency.value = hz;
      volume.gain.setValueAtTime(LOUDNESS, start);
      volume.gain.exponentialRampToValueAtTime(0.0001, start + TONE_S);
      tone.connect(volume).connect(audio.destination);
      tone.start(start);
      tone.stop(start + TONE_S);
    }
  } catch {
    // No sound device.
  }
}
