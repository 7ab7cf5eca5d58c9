/**
 * The key of this browser's session, in the IndexedDB of our origin: no other port, name or site can read it, and the browser signs with
 * it without giving the key itself to any script. All tabs share it.
 */

export interface StoredSession {
  readonly id: string;
  readonly key: CryptoKey;
}

export interface SessionKeyStore {
  /** Rejects if this browser cannot keep such a key in this kind of window. */
  tryOut(key: CryptoKey): Promise<void>;
  /** Null if nobody logged in here. */
  read(): Promise<StoredSession | null>;
  write(session: StoredSession): Promise<void>;
  remove(): Promise<void>;
}

/** Tests put a key here too. */
const DATABASE = 'signalbox';
const STORE = 'session';
const CURRENT = 'current';
const CANDIDATE = 'candidate';

export function openSessionKeyStore(): SessionKeyStore {
  /** One transaction per use, and no connection held: a page that is open must not keep another from changing the database. */
  async function use<T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    const database = await open();
    try {
      const transaction = database.transaction(STORE, mode);
      const asked = ask(transaction.objectStore(STORE));
      return await new Promise<T>((done, fail) => {
        transaction.oncomplete = () => done(asked.result);
        transaction.onabort = () => fail(transaction.error);
        transaction.onerror = () => fail(transaction.error);
      });
    } finally {
      database.close();
    }
  }
  return {
    async tryOut(key) {
      await use('readwrite', (store) => store.put(key, CANDIDATE));
      await use('readwrite', (store) => store.delete(CANDIDATE));
    },
    read: async () => (await use<StoredSession | undefined>('readonly', (store) => store.get(CURRENT))) ?? null,
    write: async (session) => void (await use('readwrite', (store) => store.put(session, CURRENT))),
    remove: async () => void (await use('readwrite', (store) => store.delete(CURRENT))),
  };
}

function open(): Promise<IDBDatabase> {
  return new Promise((done, fail) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onsuccess = () => done(opening.result);
    opening.onerror = () => fail(opening.error);
    opening.onblocked = () => fail(new Error('the database is in use by another version'));
  });
}
