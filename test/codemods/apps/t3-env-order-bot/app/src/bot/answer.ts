import { phoneOf, say } from '../messaging';
import { ordersOf } from './orders';

export async function answer(contact: string): Promise<string | undefined> {
  const phone = await phoneOf(contact);
  if (phone === undefined) return undefined;
  const orders = await ordersOf(contact);
  return say(phone, orders.map(({ id, state }) => `${id} is ${state}`).join('\n') || 'There is no order');
}
