/** What may be opened below a directory that contains the whole system. */
import { expect, test } from 'vitest';
import { openInside } from './open-inside.ts';

test.skipIf(process.platform !== 'linux')(
  '[FL30] no file of /proc, /sys or /dev is opened, also where the directory contains them',
  async () => {
    for (const directory of ['/', '/proc']) {
      for (const path of ['/proc/self/environ', `/proc/${process.pid}/environ`, '/proc/self/root/etc/hostname']) {
        const opened = await openInside({ directory, closed: [] }, path);
        if (opened.ok && opened.value.path === '/etc/hostname') await opened.value.handle.close();
        else expect(opened).toMatchObject({ ok: false, error: { code: 'forbidden' } });
      }
    }
    expect(await openInside({ directory: '/', closed: [] }, '/sys/kernel/profiling')).toMatchObject({ ok: false });
    const plain = await openInside({ directory: '/', closed: [] }, '/etc/passwd');
    expect(plain).toMatchObject({ ok: true });
    if (plain.ok) await plain.value.handle.close();
  },
);
