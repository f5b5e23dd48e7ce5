import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { types } from '../store/types';

export default function Contacts() {
  const dispatch = useDispatch();
  const contacts = useSelector((state) => state.contacts);
  useEffect(() => {
    dispatch({ type: types.LOAD_CONTACTS, payload: { page: 1 } });
  }, [dispatch]);
  return (
    <ul>
      {contacts.map(({ id, name }) => (
        <li key={id}>{name}</li>
      ))}
    </ul>
  );
}
