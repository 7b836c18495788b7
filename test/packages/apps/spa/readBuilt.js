import { readFileSync } from 'node:fs';
import { extname } from 'node:path';

const types = { '.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript' };

/** A file of the built page: its type and its bytes. */
export const readBuilt = (path) => {
  const file = path === '/' ? '/index.html' : path;
  return [types[extname(file)], readFileSync(`dist${file}`)];
};
