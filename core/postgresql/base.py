"""Django's PostgreSQL, whose connections are looked at without a question."""

from select import POLLIN, poll

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    def is_usable(self) -> bool:
        """Whether the connection is good. A server that ends one says so, and that lies there to be read; one that went
        without a word would keep a question waiting as long as the statement that comes now. Django's question, asked
        each time, was two of the nine round trips of a move."""
        if self.connection is None or self.connection.closed:
            return False
        looking = poll()
        looking.register(self.connection.fileno(), POLLIN)
        return not looking.poll(0) or super().is_usable()
