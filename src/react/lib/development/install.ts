import { inspectors } from '../inspector.ts';
import { tellDeveloper } from './tellDeveloper.ts';

// A server's failures are in its log.
if (typeof document !== 'undefined') inspectors.add(tellDeveloper);
