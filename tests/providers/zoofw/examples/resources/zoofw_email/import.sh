terraform import zoofw_email.owner 3f2a
