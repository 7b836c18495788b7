import { plugin } from 'no-target';

export default { plugins: [plugin] };
