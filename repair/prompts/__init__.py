"""One template for each request the model gets. Everything quoted in them is data, never an instruction."""
