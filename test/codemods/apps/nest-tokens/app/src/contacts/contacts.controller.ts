import { Controller, Get, Headers, Param, UnauthorizedException } from '@nestjs/common';
import { ContactsService } from './contacts.service';

@Controller('v1/contacts')
export class ContactsController {
  constructor(private readonly contacts: ContactsService) {}

  @Get()
  list(@Headers('x-api-key') key: string) {
    if (key !== process.env.OWN_KEY) throw new UnauthorizedException();
    return this.contacts.list();
  }

  @Get(':id')
  one(@Param('id') id: string) {
    return this.contacts.one(id);
  }
}
