import type { TabChannel } from './tabs.ts';

/** How this page gets its actions. */
export type ActionRole =
  /** From its own stream, which it does not share. */
  | { readonly kind: 'solo' }
  /** From its own stream, which it shares with the other tabs. */
  | { readonly kind: 'leading'; readonly channel: TabChannel; readonly release: () => void }
  /** From the leading tab. Until the leader has answered this page's question, earlier actions may still arrive. */
  | { readonly kind: 'following'; readonly channel: TabChannel; question: number; hasAnswer: boolean };
