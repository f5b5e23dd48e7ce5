import { Link, useRouter } from 'next/navigation';

export function Nav() {
  const router = useRouter();
  return (
    <nav aria-label="x-api-key">
      <Link href="/v1/messages">Messages</Link>
      <button onClick={() => router.push('/v1/contacts')}>Contacts</button>
    </nav>
  );
}
