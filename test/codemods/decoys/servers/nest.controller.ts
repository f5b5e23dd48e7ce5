import { Body, Controller, Get, Headers, Param, Post, UnauthorizedException } from '@nestjs/common';

@Controller('/v1/messages')
export class MessagesController {
  @Post('send')
  send(@Headers('x-api-key') key: string, @Body() body: { to: string }) {
    if (!key) throw new UnauthorizedException('Missing API key');
    return { messageId: `m_${body.to}` };
  }

  @Get(':id')
  read(@Param('id') id: string) {
    return { messageId: id };
  }
}
