/** The thread of the ingest by hand: inserts messages in one transaction, and replies when it is on disk. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

const sayCommitted = (): void => parentPort?.postMessage(null);

const database = new DatabaseSync(workerData as string); // a path, from `groupCommit`
database.exec('pragma journal_mode = wal; pragma synchronous = full; create table kept (raw blob)');
const begin = database.prepare('begin');
const insert = database.prepare('insert into kept (raw) values (?)');
const commit = database.prepare('commit');

parentPort?.on('message', (bodies: readonly Uint8Array[]) => {
  begin.run();
  for (const body of bodies) insert.run(body);
  commit.run();
  sayCommitted();
});
