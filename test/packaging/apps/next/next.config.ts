import type { NextConfig } from 'next';

// Next checks types through an interface that TypeScript 7 no longer has; the test runs tsc itself.
const config: NextConfig = { typescript: { ignoreBuildErrors: true } };

export default config;
