import { MessageList } from '../../components/MessageList';
import { messaging } from '../../lib/messaging';

export const dynamic = 'force-dynamic';

export default async function InboxPage() {
  const { data: contacts } = await messaging<{ data: { id: string; name: string }[] }>('/contacts?limit=5');
  return (
    <main>
      <ul>
        {contacts.map((contact) => (
          <li key={contact.id}>{contact.name}</li>
        ))}
      </ul>
      <MessageList />
    </main>
  );
}
