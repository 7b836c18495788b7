import { stdout } from 'node:process';

/* `npm start`: prints a line at once, then loads everything else. */
stdout.write('\n  Vitrine demo: starting the portal and a host app ...\n');

const { runDemo } = await import('./backend/runDemo.ts');
await runDemo();
