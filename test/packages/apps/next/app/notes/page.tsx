import { revalidatePath } from 'next/cache';
import { Suspense } from 'react';
import SalesPage from '../sales/page';
import { countLoads } from './countLoads';
import { Refresh } from './Refresh';

const save = async () => {
  'use server';
  revalidatePath('/notes');
};

interface NotesProps {
  readonly searchParams: Promise<{ readonly remount?: string }>;
}

/**
 * The page of the guide, below elements that make Next.js load it again. With `?remount` its report gets a new key each
 * time.
 */
export default function NotesPage(props: NotesProps) {
  return (
    <Suspense>
      <Notes {...props} />
    </Suspense>
  );
}

async function Notes({ searchParams }: NotesProps) {
  const { remount } = await searchParams;
  const loads = countLoads();
  return (
    <>
      <p>
        Loaded <span id="loads">{loads}</span> times
      </p>
      <form action={save}>
        <button type="submit">Save</button>
      </form>
      <Refresh />
      <div key={remount === undefined ? 'same' : loads}>
        <SalesPage />
      </div>
    </>
  );
}
