'use client';
import { useRouter } from 'next/navigation';

export const RefreshButton = () => {
  const router = useRouter();
  return (
    <button type="button" onClick={() => router.refresh()}>
      Refresh
    </button>
  );
};
