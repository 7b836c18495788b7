import { runConformance } from './lib/runConformance.ts';

process.exitCode = await runConformance({
  args: process.argv.slice(2),
  environment: process.env,
  nowMs: Date.now(),
  say: (text) => process.stdout.write(text),
});
