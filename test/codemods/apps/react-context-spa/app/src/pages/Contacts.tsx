import { Link } from 'react-router-dom';
import { useContacts } from '../api/queries';

export function Contacts() {
  const contacts = useContacts();
  return (
    <ul>
      {contacts.map(({ id, firstName }) => (
        <li key={id}>
          <Link to={`/v1/contacts/${id}`}>{firstName}</Link>
        </li>
      ))}
    </ul>
  );
}
