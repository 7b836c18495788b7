import { revalidatePath } from 'next/cache';
import SalesPage from '../sales/page';
import { countLoads } from './countLoads';
import { RefreshButton } from './RefreshButton';

const save = async (): Promise<void> => {
  'use server';
  revalidatePath('/notes');
};

/** The report of the guide beside a form, whose server action has the page rendered anew. */
export default function NotesPage() {
  return (
    <>
      <p>
        Rendered <span id="loads">{countLoads()}</span> times
      </p>
      <form action={save}>
        <button type="submit">Save</button>
      </form>
      <RefreshButton />
      <SalesPage />
    </>
  );
}
